import type { MetricName, Series, SeriesAnswer } from "@fairlead/domain/series";
import { expect, it } from "vitest";
import type { ChartData } from "../data/chart-data.ts";
import { linesOfHitRate, linesOfIdSearches, linesOfKinds, linesOfOutcomes, linesOfSyns } from "./session-lines.ts";

const every = 5_000;

function measured(
  metric: MetricName,
  agent: string,
  labels: Record<string, string>,
  values: (number | null)[],
): Series {
  const points = values.flatMap((value, i) =>
    value === null ? [] : [{ at: new Date(i * every + 700), min: value, avg: value, max: value }],
  );
  return { subjectId: "lb_1", metric, unit: "perSecond", labels: { ...labels, agent }, intervalMs: every, points };
}
const hellos = (agent: string, kind: string, outcome: string, values: (number | null)[]) =>
  measured("sessionHellosPerSecond", agent, { kind, outcome }, values);
const answer = (...series: Series[]): SeriesAnswer => ({ resolutionMs: every, series });
const last = ({ lines }: ChartData) => lines.map(({ title, summary }) => [title, summary?.last]);
const valuesOf = ({ rows }: ChartData, line: number) => rows.map(({ values }) => values[line]);
const byAgent = ({ labels }: Pick<Series, "labels">) => labels.agent ?? "";

const usual = [
  hellos("a", "psk", "home", [8, 8]),
  hellos("b", "psk", "home", [1, 1]),
  hellos("a", "psk", "gone", [1, 1]),
  hellos("a", "id", "home", [2, 2]),
  hellos("a", "id", "unknown", [2, 2]),
  hellos("a", "new", "", [5, 5]),
  hellos("b", "unreadable", "", [3, 3]),
];

it("adds up hellos of all replicas by kind, in a fixed order", () => {
  expect(last(linesOfKinds(answer(...usual)).data)).toEqual([
    ["PSK (TLS 1.3)", 10],
    ["session id (TLS 1.2)", 4],
    ["new session", 5],
    ["unreadable", 3],
  ]);
});

it("adds up returning clients by outcome, without new sessions", () => {
  expect(last(linesOfOutcomes(answer(...usual)).data)).toEqual([
    ["home", 11],
    ["backend gone", 1],
    ["unknown name", 2],
  ]);
});

it("adds up searched session ids by outcome, apart from hellos", () => {
  const searched = (agent: string, outcome: string, values: number[]) =>
    measured("sessionIdSearchesPerSecond", agent, { outcome }, values);
  const series = [searched("a", "found", [1, 3]), searched("b", "found", [2, 4]), searched("a", "unanswered", [0, 5])];
  expect(last(linesOfIdSearches(answer(...usual, ...series)).data)).toEqual([
    ["found", 7],
    ["not all answered", 5],
  ]);
});

it("divides those at home by all that named a session, also by kind", () => {
  const { data } = linesOfHitRate(answer(...usual));
  expect(data.unit).toBe("ratio");
  expect(last(data)).toEqual([
    ["all returning clients", 11 / 14],
    ["PSK (TLS 1.3)", 0.9],
    ["session id (TLS 1.2)", 0.5],
  ]);
});

it("has no hit rate while no client returns, and names a single kind alone", () => {
  const { data } = linesOfHitRate(
    answer(
      hellos("a", "psk", "home", [4, 0, 0, 0, 3]),
      hellos("a", "psk", "gone", [0, 0, 0, 0, 1]),
      hellos("a", "ticket", "home", [0, 0, 0, 0, 0]),
    ),
  );
  expect(data.lines.map(({ title }) => title)).toEqual(["PSK (TLS 1.3)"]);
  expect(valuesOf(data, 0)).toEqual([1, null, 0.75]);
  expect(linesOfHitRate(answer(hellos("a", "psk", "home", [0, 0]))).data.rows).toEqual([]);
  expect(linesOfHitRate(answer(hellos("a", "new", "", [9, 9]))).data.rows).toEqual([]);
});

it("is zero while no client gets to its backend", () => {
  expect(valuesOf(linesOfHitRate(answer(hellos("a", "psk", "gone", [4, 4]))).data, 0)).toEqual([0, 0]);
});

it("has no dip if one of several replicas stops in the range", () => {
  const { data } = linesOfHitRate(
    answer(
      hellos("a", "psk", "home", [9, 9, 9, 9, 9, 9]),
      hellos("a", "psk", "gone", [1, 1, 1, 1, 1, 1]),
      hellos("b", "psk", "home", [9, 9, null, null, null, null]),
      hellos("b", "psk", "gone", [1, 1, null, null, null, null]),
    ),
  );
  expect(valuesOf(data, 0)).toEqual([0.9, 0.9, 0.9, 0.9, 0.9, 0.9]);
});

it("draws SYNs next to hellos: by replica for a few, as sums for many", () => {
  const syns = (agent: string) => measured("sessionSynsPerSecond", agent, {}, [6, 6]);
  const of = (...agents: string[]) =>
    last(
      linesOfSyns(answer(...agents.flatMap((agent) => [syns(agent), hellos(agent, "new", "", [5, 5])])), byAgent).data,
    );
  expect(of("a")).toEqual([
    ["SYNs", 6],
    ["hellos", 5],
  ]);
  expect(of("b", "a")).toEqual([
    ["a SYNs", 6],
    ["a hellos", 5],
    ["b SYNs", 6],
    ["b hellos", 5],
  ]);
  expect(of("a", "b", "c", "d")).toEqual([
    ["SYNs", 24],
    ["hellos", 20],
  ]);
});
