import { expect, it } from "vitest";
import { readArguments, readDuration } from "./arguments.ts";

const env = { url: "https://fairlead.example", apiKey: "fl_key" };
const common = ["--exposure", "exp_1", "--instance", "redis-0", "--format", "redis"];

it("parses all options", () => {
  const args = [
    ...[
      "--exposure=exp_1",
      "--instance",
      "kafka-0",
      "--format",
      "kafka",
      "--out",
      "/x",
      "--wait",
      "2m",
      "--family",
      "6",
    ],
    ...["--listener", "OUT=9094", "--listener", "TLS=9095", "--also", "IN://a:1", "--between", "internal", "--watch"],
    ...["--signal", "hup", "--pid-file", "/p", "--port", "1", "--tls-port", "2", "--bus-port", "3", "--prefix", "A"],
    ...["--", "reload", "--help"],
  ];
  expect(readArguments(args, env)).toEqual({
    ...{ url: "https://fairlead.example", apiKey: "fl_key", exposureId: "exp_1", instance: "kafka-0", family: 6 },
    ...{ format: "kafka", out: "/x", waitMs: 120_000, watch: true },
    after: { command: ["reload", "--help"], signal: "SIGHUP", pidFile: "/p" },
    render: {
      ...{ port: 1, tlsPort: 2, busPort: 3, between: "internal", prefix: "A", also: ["IN://a:1"] },
      listeners: [
        { name: "OUT", port: 9_094 },
        { name: "TLS", port: 9_095 },
      ],
    },
  });
});

it.each([
  [["--format", "xml"], "--format must be one of redis, kafka"],
  [common, "--out is missing"],
  [[...common, "--out", "-", "--wait", "soon"], "--wait must be a duration such as 30s"],
  [[...common, "--out", "-", "--family", "5"], "--family must be one of 4, 6"],
  [[...common, "--out", "-", "--port", "70000"], "--port must be a port"],
  [[...common, "--out", "-", "--listener", "OUT"], "--listener NAME=PORT: PORT must be a port"],
  [[...common, "--out", "-", "--prefix", "1 2"], "--prefix must be a valid variable name"],
  [[...common, "--out", "-", "--signal", "HUP"], "--signal and --pid-file must be used together"],
  [[...common, "--out", "-", "--signal", "KILL", "--pid-file", "/p"], "--signal must be one of HUP"],
  [[...common, "--out", "-", "--api-key-file", "/no/such/file"], "--api-key-file: "],
  [[...common, "--out", "-", "--nonsense"], "--nonsense"],
  [[...common, "--out", "-", "--"], "A command is expected after --"],
])("refuses %j", (args, message) => {
  expect(() => readArguments(args, env)).toThrow(message);
});

it("parses durations", () => {
  expect(["0", "500ms", "30s", "5m", "2h"].map(readDuration)).toEqual([0, 500, 30_000, 300_000, 7_200_000]);
});
