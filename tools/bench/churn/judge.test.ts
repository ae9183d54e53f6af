import { expect, it } from "vitest";
import { type Churned, explain, judge, parseLines } from "./judge.ts";

const churned = (subject: string, fields: Partial<Churned> = {}): Churned => ({
  round: 0,
  subject,
  kind: "ours",
  connections: 110_000,
  requests: 300_000,
  broken: 0,
  failed: 0,
  seconds: 80,
  replicas: [3, 4, 3],
  backends: 30,
  ...fields,
});
const bars = (all: Churned[]) =>
  judge({ churned: all }, 100_000)
    .filter((each) => each.bar)
    .map((each) => [each.subject, each.unit, each.holds]);

it("forgives our balancer no broken connection, in any round", () => {
  expect(bars([churned("Fairlead"), churned("Fairlead", { round: 1 })])).toEqual([
    ["Fairlead", "failures", true],
    ["Fairlead", "connections", true],
  ]);
  expect(bars([churned("Fairlead"), churned("Fairlead", { round: 1, broken: 1 })])[0]).toEqual([
    "Fairlead",
    "failures",
    false,
  ]);
});

it("misses its bar when too little happened for a zero to mean anything", () => {
  expect(bars([churned("Fairlead", { connections: 99_999 })])[1]).toEqual(["Fairlead", "connections", false]);
});

it("judges neither peers nor models, and tells what was published beside", () => {
  const all = [
    churned("HAProxy tcp", { kind: "peer", broken: 1100 }),
    churned("ECMP hash", { kind: "model", broken: 11, published: 0.947, replicas: null }),
  ];
  expect(bars(all)).toEqual([]);
  const percent = judge({ churned: all }, 1).filter((each) => each.unit === "%");
  expect(percent.map((each) => [each.subject, each.metric, each.median])).toEqual([
    ["HAProxy tcp", "of all connections that broke", 1],
    ["ECMP hash", "of all connections that broke", 0.01],
    ["ECMP hash", "that broke, as published", 0.947],
  ]);
});

it("says how connections broke, and what was left out and why", () => {
  const breaks = [{ at: "2026-01-01T00:00:00Z", client: "198.18.1.2:4000", how: "reset", error: "connection reset" }];
  const said = explain({
    churned: [churned("Fairlead", { broken: 2, how: { reset: 2 }, breaks })],
    leftOut: [{ subject: "HAProxy tcp", reason: "it isn't installed" }],
  });
  expect(said).toContain(
    "Fairlead, round 1, broke 2 reset; the first that is kept: 198.18.1.2:4000 at 2026-01-01T00:00:00Z, connection reset",
  );
  expect(said).toContain("HAProxy tcp wasn't measured: it isn't installed");
});

it("reads what was printed, and refuses what it doesn't know", () => {
  const one = churned("Fairlead");
  expect(parseLines(`${JSON.stringify({ churned: one })}\n`)).toEqual({ churned: [one], leftOut: [] });
  expect(() => parseLines('{"turned":{}}')).toThrow(/nothing that is known/);
});
