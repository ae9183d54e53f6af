import { expect, it } from "vitest";
import { alone, leastConnections, ours, random, sameNode, skewed3 } from "./bars.ts";
import { explain, judge, type Least } from "./judge.ts";
import { coresOf, localShare, parseLines, type Turn } from "./measured.ts";

const turn: Turn = {
  ...{ round: 0, scenario: skewed3, subject: ours, requests: 9600, seconds: 2, meanMs: 1, p50Ms: 1, p99Ms: 6 },
  ...{ served: [[75], [0, 25]], failed: 0, latenessP99Ms: 0.1, idleShare: 0.2, void: [] },
  cores: { servers: 0.6, clients: 0.3, agents: 0.1, lines: 0.2 },
};
const others: Turn[] = [
  { ...turn, subject: random, p99Ms: 10, meanMs: 2 },
  { ...turn, subject: leastConnections, p99Ms: 7 },
];
const least: Least = { rounds: 1, countsVoid: false, scenarios: [skewed3] };

function missed(turns: Turn[], wanted = least): string[] {
  const results = judge({ turns }, wanted);
  return results.filter(({ holds }) => holds === false).map(({ metric }) => metric);
}

it("holds the bars of a skewed load only if both tail and mean are lower", () => {
  expect(missed([turn, ...others])).toEqual([]);
  expect(missed([{ ...turn, p99Ms: 6.48 }, ...others])).toEqual([`${skewed3}: p99 ÷ least connections`]);
  expect(missed([{ ...turn, p99Ms: 6.6 }, ...others])).toHaveLength(2);
  expect(missed([{ ...turn, meanMs: 1.5 }, ...others])).toEqual([`${skewed3}: mean ÷ random`]);
});

it("compares turns of one round only", () => {
  const later = others.map((each) => ({ ...each, round: 1, p99Ms: 1 }));
  expect(missed([turn, ...others, ...later])).toEqual([]);
});

it("counts no void turn, except in a smoke run", () => {
  const void1 = { ...turn, void: ["the machine was saturated"] };
  expect(missed([void1, ...others])).toContain(`${skewed3}: rounds that count`);
  expect(missed([void1, ...others], { ...least, countsVoid: true })).toEqual([]);
  expect(explain({ turns: [void1], leftOut: [] }).join("\n")).toContain(
    "1 turns are void, the first because the machine",
  );
});

it("holds no bar of a ratio without both turns", () => {
  const [first] = others;
  expect(missed(first ? [turn, first] : [])).toEqual([`${skewed3}: rounds of p99 ÷ ${leastConnections}`]);
});

it("checks that one node serves what is planned", () => {
  const only = (requests: number) =>
    missed([{ ...turn, scenario: alone, subject: sameNode, requests }], { ...least, scenarios: [] });
  expect(only(3000)).toEqual([]);
  expect(only(2900)).toEqual(["one node alone, of plan"]);
  expect(only(3100)).toEqual(["one node alone, at most of plan"]);
});

it("reads the output of the measurement", () => {
  expect(parseLines(`${JSON.stringify({ turn })}\n`).turns).toEqual([turn]);
  expect(() => parseLines('{"returned":{}}')).toThrow(/Unknown line/);
  expect(localShare(turn)).toBe(100);
  expect(coresOf(turn)).toBeCloseTo(1.2);
});
