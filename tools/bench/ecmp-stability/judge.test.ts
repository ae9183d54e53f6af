import { expect, it } from "vitest";
import { type Changed, explain, judge, parseLines } from "./judge.ts";

const quiet = { all: 1000, own: 250, moved: 0, broken: 0, strange: 0 };
const changed = (fields: Partial<Changed> = {}): Changed => ({
  round: 0,
  nextHops: "resilient",
  behind: "Fairlead",
  kind: "drained",
  which: "last",
  replicas: 4,
  seconds: 0.01,
  tcp: quiet,
  udp: quiet,
  ...fields,
});
const least = { changes: 1, nextHops: ["resilient"], connections: 1000 };
const missed = (all: Changed[], of = least) =>
  judge({ changed: all }, of)
    .filter((each) => each.holds === false)
    .map((each) => each.metric);

it("allows no broken connection of Fairlead when a replica drains or is added", () => {
  expect(missed([changed(), changed({ kind: "added" })])).toEqual([]);
  expect(missed([changed({ tcp: { ...quiet, broken: 1 } })])).toEqual(["broken, replica drained or added"]);
  expect(missed([changed({ kind: "added", udp: { ...quiet, broken: 1 } })])).toEqual([
    "broken, replica drained or added",
  ]);
});

it("allows only broken connections of the lost replica", () => {
  expect(missed([changed({ kind: "killed", udp: { ...quiet, broken: 3 } })])).toEqual([]);
  expect(missed([changed({ kind: "cut off", udp: { ...quiet, broken: 3, strange: 1 } })])).toEqual([
    "broken of other replicas, one lost",
  ]);
});

it("checks that resilient next hops move no other flows, for any balancer", () => {
  const moved = { tcp: { ...quiet, moved: 1 } };
  expect(missed([changed(moved)])).toEqual(["moved although they need not"]);
  expect(missed([changed(), changed({ ...moved, behind: "nftables DNAT" })])).toEqual(["moved although they need not"]);
  expect(missed([changed(), changed({ ...moved, nextHops: "plain", behind: "nftables DNAT" })])).toEqual([]);
});

it("misses its bar if there was too little traffic for a zero to prove anything", () => {
  expect(missed([changed({ tcp: { ...quiet, all: 999 } })])).toEqual(["times it was measured"]);
  expect(missed([changed()], { ...least, changes: 2 })).toEqual(["times it was measured"]);
  expect(missed([changed()], { ...least, nextHops: ["plain", "resilient"] })).toEqual(["times it was measured"]);
});

it("reports what broke of Fairlead, and what was skipped and why", () => {
  const notes = explain({
    changed: [changed({ kind: "killed", udp: { ...quiet, broken: 2 } })],
    leftOut: [{ subject: "plain, nftables DNAT", reason: "it isn't installed" }],
  });
  expect(notes).toContain(
    "resilient, Fairlead, round 1, the last replica killed: broke 0 connections and 2 flows, of which 0 weren't its own",
  );
  expect(notes).toContain("plain, nftables DNAT was not measured: it isn't installed");
});

it("parses the output, and rejects unknown lines", () => {
  expect(parseLines(`${JSON.stringify({ changed: changed() })}\n`)).toEqual({ changed: [changed()], leftOut: [] });
  expect(() => parseLines('{"turned":{}}')).toThrow(/Unknown line/);
});
