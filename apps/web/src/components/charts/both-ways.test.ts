import type { MetricName, Series, SeriesAnswer } from "@fairlead/domain";
import { expect, it } from "vitest";
import { answersOf, linesOfThroughput } from "./both-ways.ts";

const byAgent = ({ labels }: Pick<Series, "labels">) => labels.agent ?? "";
const answer = (...series: Series[]): SeriesAnswer => ({ resolutionMs: 5_000, series });

function measured(metric: MetricName, agent: string, values: number[]): Series {
  const points = values.map((value, i) => ({ at: new Date(i * 5_000), min: value, avg: value, max: value }));
  return { subjectId: "lb_1", metric, unit: "bps", labels: { agent }, intervalMs: 5_000, points };
}

function both(agent: string, from: number, to: number): Series[] {
  return [measured("throughputBps", agent, [from, from]), measured("toClientsBps", agent, [to, to])];
}

function drawn(...series: Series[]) {
  const { data, hidden } = linesOfThroughput(answer(...series), byAgent, "all replicas");
  return { lines: data.lines.map(({ title, summary }) => [title, summary?.last]), hidden };
}

it("draws both ways where answers pass", () => {
  expect(drawn(...both("a", 2, 90))).toEqual({
    lines: [
      ["From clients", 2],
      ["To clients", 90],
    ],
    hidden: 0,
  });
});

it("draws both ways of all together first, then of the largest", () => {
  expect(drawn(...both("a", 1, 10), ...both("b", 2, 90), ...both("c", 3, 30))).toEqual({
    lines: [
      ["From clients", 6],
      ["To clients", 130],
      ["From, by b", 2],
      ["To, by b", 90],
      ["From, by c", 3],
      ["To, by c", 30],
    ],
    hidden: 1,
  });
});

it("draws no line that is 0 all along", () => {
  expect(drawn(...both("a", 2, 0)).lines).toEqual([["a", 2]]);
  expect(drawn(...both("a", 2, 0), ...both("b", 3, 0)).lines).toEqual([
    ["all replicas", 5],
    ["b", 3],
    ["a", 2],
  ]);
});

it("tells that answers pass, that they pass by, and that nobody knows", () => {
  expect(answersOf(answer(...both("a", 2, 0), ...both("b", 2, 1)))).toBe("pass");
  expect(answersOf(answer(...both("a", 2, 0)))).toBe("pass by");
  expect(answersOf(answer(measured("throughputBps", "a", [2])))).toBe("unknown");
});
