import { describe, expect, it } from "vitest";
import { checkOf, healthCheck } from "./health-check.ts";

const timing = { intervalMs: 1_000, timeoutMs: 1_000, rise: 2, fall: 3 };

describe("a health check", () => {
  it.each([
    [{ type: "tcp" }, { type: "tcp", ...timing }],
    [{ type: "http" }, { type: "http", path: "/", ...timing }],
    [
      { type: "udp", send: "ping" },
      { type: "udp", send: "ping", expect: "", ...timing },
    ],
    [{ type: "none" }, { type: "none" }],
  ])("has defaults: %j", (given, want) => {
    expect(healthCheck.parse(given)).toEqual(want);
  });

  it.each([
    [{ type: "http", path: "healthz" }, "begins with a slash"],
    [{ type: "http", path: "/100%" }, "writes % as %25"],
    [{ type: "tcp", intervalMs: 10 }, "100 ms at least"],
    [{ type: "udp", send: "" }, "enter what to send"],
    [{ type: "udp", send: "ü".repeat(1_000) }, "1400 bytes at most"],
    [{ type: "tcp", fall: 101 }, "a hundred at most"],
  ])("is rejected with what to do: %j", (given, problem) => {
    expect(JSON.stringify(healthCheck.safeParse(given).error?.issues)).toContain(problem);
  });

  const udp = healthCheck.parse({ type: "udp", send: "ping" });
  const http = healthCheck.parse({ type: "http" });
  it.each([
    ["nothing is set, for TCP", null, "tcp", "tcp"],
    ["nothing is set, for UDP", null, "udp", undefined],
    ["it uses the port's protocol", udp, "udp", "udp"],
    ["it doesn't support a UDP port", http, "udp", undefined],
    ["it doesn't support a TCP port", udp, "tcp", "tcp"],
    ["it names a port of its own", healthCheck.parse({ type: "http", port: 9_000 }), "udp", "http"],
    ["none is set", healthCheck.parse({ type: "none" }), "tcp", undefined],
  ] as const)("where %s", (_, requested, protocol, want) => {
    expect(checkOf(requested, protocol)?.type).toBe(want);
  });
});
