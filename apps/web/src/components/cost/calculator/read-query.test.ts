import { expect, it } from "vitest";
import { presets } from "./presets.ts";
import { readQuery, readRate, writeRate } from "./read-query.ts";
import { type CalculatorParams, calculatorHref, loadCalculatorParams } from "./search-params.ts";

const paramsIn = (href: string): CalculatorParams => loadCalculatorParams(new URL(href, "http://localhost"));
const read = (query: string) => readQuery(paramsIn(`/calculator${query}`));

it("returns neither a query nor errors while the form is empty", () => {
  expect(read("?protocol=http&providers=aws")).toEqual({ request: null, problems: {} });
});

it("builds the query from the URL, with the defaults of the schema", () => {
  const { request, problems } = read(
    "?averageMbps=1_200&newConnectionsPerSecond=.5&providers=aws,gcp&regions=us-east-1&constraints=static-ip&rates=EUR:1.08@2026-11-25",
  );
  expect(problems).toEqual({});
  expect(request).toMatchObject({
    profile: { averageMbps: 1_200, newConnectionsPerSecond: 0.5, protocol: "tcp", tls: "none", hoursPerMonth: 730 },
    providers: ["aws", "gcp"],
    regions: ["us-east-1"],
    constraints: ["static-ip"],
    currency: "USD",
    rates: [{ from: "EUR", to: "USD", rate: 1.08, asOf: "2026-11-25" }],
  });
});

const wrong: [name: string, query: string, field: string, says: string][] = [
  ["a word", "?averageMbps=much", "averageMbps", "Enter a number of Mbit/s."],
  ["a negative value", "?averageMbps=-1", "averageMbps", "Enter 0 Mbit/s or more."],
  ["an absurd value", "?averageMbps=1e18", "averageMbps", "Enter at most 10,000,000 Mbit/s."],
  ["a missing average", "?peakMbps=5", "averageMbps", "Enter a number of Mbit/s."],
  ["a peak below the average", "?averageMbps=25&peakMbps=5", "peakMbps", "The peak can't be below"],
  [
    "impossibly many live connections",
    "?averageMbps=1&newConnectionsPerSecond=1&connectionDurationSeconds=1&activeConnections=9",
    "activeConnections",
    "1 new connections per second that last 1 s",
  ],
  ["requests over TCP", "?averageMbps=1&requestsPerSecond=5", "requestsPerSecond", "Tcp has no requests"],
];
it.each(wrong)("reports %s at its field, with the message of the schema", (_, query, field, says) => {
  const { request, problems } = read(query);
  expect(request).toBeNull();
  expect(problems[field]).toContain(says);
});

it.each(presets)("reads the same query from the URL of the example $name", (preset) => {
  const { request, problems } = readQuery(paramsIn(calculatorHref("/costs", preset)));
  expect(problems).toEqual({});
  expect(request).toMatchObject({
    profile: preset.profile,
    providers: preset.providers ?? [],
    regions: preset.regions ?? [],
    constraints: preset.constraints ?? [],
  });
});

it("round-trips a rate, and ignores an invalid one", () => {
  expect(readRate(writeRate("EUR", "1.08", "2026-11-25"), "USD")).toMatchObject({ from: "EUR", rate: 1.08 });
  for (const text of ["EUR:@2026-11-25", "EUR:0@2026-11-25", "EUR:1.08", "USD:1@2026-11-25", "EUR:1.08@2026-13-45"])
    expect(readRate(text, "USD"), text).toBeNull();
});
