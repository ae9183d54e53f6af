import type { MetricName, Series, SeriesAnswer } from "@fairlead/domain/series";
import { expect, it } from "vitest";
import { linesOfThroughput, replyPathOf } from "./both-ways.ts";

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

it("draws both directions if replies pass through the balancer", () => {
  expect(drawn(...both("a", 2, 90))).toEqual({
    lines: [
      ["From clients", 2],
      ["To clients", 90],
    ],
    hidden: 0,
  });
});

it("draws both directions of the total first, then of the largest parts", () => {
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

it("draws no line that is always 0", () => {
  expect(drawn(...both("a", 2, 0)).lines).toEqual([["a", 2]]);
  expect(drawn(...both("a", 2, 0), ...both("b", 3, 0)).lines).toEqual([
    ["all replicas", 5],
    ["b", 3],
    ["a", 2],
  ]);
});

it("detects replies through the balancer, bypassing replies, and unknown", () => {
  expect(replyPathOf(answer(...both("a", 2, 0), ...both("b", 2, 1)))).toBe("through");
  expect(replyPathOf(answer(...both("a", 2, 0)))).toBe("bypass");
  expect(replyPathOf(answer(measured("throughputBps", "a", [2])))).toBe("unknown");
});
