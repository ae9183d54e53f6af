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
const least = { rounds: 1, connections: 100_000 };
const bars = (all: Churned[], of = least) =>
  judge({ churned: all }, of)
    .filter((each) => each.bar)
    .map((each) => [each.subject, each.unit, each.holds]);
const missed = (all: Churned[], of = least) =>
  bars(all, of)
    .filter(([, , holds]) => !holds)
    .map(([, unit]) => unit);

it("allows no broken connection of Fairlead in any round", () => {
  expect(bars([churned("Fairlead"), churned("Fairlead", { round: 1 })])).toEqual([
    ["Fairlead", "times", true],
    ["Fairlead", "failures", true],
    ["Fairlead", "connections", true],
    ["Fairlead", "%", true],
  ]);
  expect(missed([churned("Fairlead"), churned("Fairlead", { round: 1, broken: 1 })])).toEqual(["failures"]);
});

it("misses its bar if there was too little traffic for a zero to prove anything", () => {
  expect(missed([churned("Fairlead", { connections: 99_999 })])).toEqual(["times", "connections"]);
  expect(missed([churned("Fairlead", { connections: 0, requests: 0 })])).toEqual(["times", "connections"]);
  expect(missed([churned("Fairlead", { connections: 0, failed: 300 })])).toEqual(["times", "connections", "%"]);
  expect(missed([churned("Fairlead", { failed: 1_100 })])).toEqual(["%"]);
});

it("misses its bar if Fairlead was not measured in every round", () => {
  expect(missed([churned("HAProxy tcp", { kind: "peer" }), churned("Maglev", { kind: "model" })])).toEqual(["times"]);
  expect(missed([churned("Fairlead")], { ...least, rounds: 2 })).toEqual(["times"]);
});

it("counts timeouts separately only under packet loss", () => {
  const lossy = (fields: Partial<Churned>) => [churned("Fairlead", { loss: 1, lost: 9_000, ...fields })];
  expect(bars(lossy({ broken: 11, how: { "timed out": 11 } }))).toEqual([
    ["Fairlead", "times", true],
    ["Fairlead", "failures", true],
    ["Fairlead", "frames", true],
    ["Fairlead", "%", true],
    ["Fairlead", "connections", true],
    ["Fairlead", "%", true],
  ]);
  expect(missed(lossy({ broken: 12, how: { "timed out": 11, reset: 1 } }))).toEqual(["failures"]);
  expect(missed(lossy({ broken: 12, how: { "timed out": 12 } }))).toEqual(["%"]);
  expect(missed(lossy({ lost: 0 }))).toEqual(["frames"]);
  expect(missed([churned("Fairlead", { broken: 1, how: { "timed out": 1 }, loss: 0, lost: 0 })])).toEqual(["failures"]);
});

it("applies no bars to peers and models, and lists published figures", () => {
  const all = [
    churned("HAProxy tcp", { kind: "peer", broken: 1100 }),
    churned("ECMP hash", { kind: "model", broken: 11, published: 0.947, replicas: null }),
  ];
  const noMinimum = { rounds: 0, connections: 1 };
  expect(bars(all, noMinimum)).toEqual([]);
  const percent = judge({ churned: all }, noMinimum).filter((each) => each.metric.includes("broke"));
  expect(percent.filter((each) => each.unit === "%").map((each) => [each.subject, each.metric, each.median])).toEqual([
    ["HAProxy tcp", "of all connections that broke", 1],
    ["ECMP hash", "of all connections that broke", 0.01],
    ["ECMP hash", "that broke, as published", 0.947],
  ]);
});

it("describes how connections broke, and what was skipped and why", () => {
  const breaks = [{ at: "2026-01-01T00:00:00Z", client: "198.18.1.2:4000", how: "reset", error: "connection reset" }];
  const notes = explain({
    churned: [churned("Fairlead", { broken: 2, how: { reset: 2 }, breaks, failed: 3, failedHow: "narrow: no port" })],
    leftOut: [{ subject: "HAProxy tcp", reason: "it isn't installed" }],
  });
  expect(notes).toContain(
    "Fairlead, round 1, broke 2 reset; the first recorded one: 198.18.1.2:4000 at 2026-01-01T00:00:00Z, connection reset",
  );
  expect(notes).toContain("Fairlead, round 1, 3 connections failed to connect; the last error of narrow: no port");
  expect(notes).toContain("HAProxy tcp was not measured: it isn't installed");
});

it("parses the output, and rejects unknown lines", () => {
  const one = churned("Fairlead");
  expect(parseLines(`${JSON.stringify({ churned: one })}\n`)).toEqual({ churned: [one], leftOut: [] });
  expect(() => parseLines('{"turned":{}}')).toThrow(/Unknown line/);
});
