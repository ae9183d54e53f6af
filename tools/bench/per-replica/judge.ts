import { type Result, result, wasMeasured } from "../result.ts";

/** What was timed. */
export type What = "made" | "running" | "mapped" | "whole" | "exposed" | "replaced" | "removed";
export type Took = { subject: string; what: What; ms: number };

/** What was counted; memory is that of the controller's process, in MB. */
export type CountWhat =
  | "before"
  | "at full size"
  | "after"
  | "requests per instance"
  | "requests per replacement"
  | "turned away"
  | "turned away a second"
  | "failed";
export type Count = { subject: string; what: CountWhat; value: number };

/** Compared has the durations of the same operation with all clusters healthy and with some unreachable, in pairs of rounds. */
export type Compared = { subject: string; what: What; well: number[][]; troubled: number[][] };

export type Measured = { took: Took[]; counts: Count[]; compared: Compared[] };

const titles: Record<What, string> = {
  made: "pod created → its Service created",
  running: "pod Running → its Service created",
  mapped: "Service has its address → mapping served",
  whole: "pod Running → mapping served as ready",
  exposed: "spec → all instances mapped",
  replaced: "new pod has its address → mapping leads to it",
  removed: "spec deleted → no Service left",
};

const counted: Record<CountWhat, { title: string; unit: string }> = {
  before: { title: "controller's memory before", unit: "MB" },
  "at full size": { title: "controller's memory with all exposed", unit: "MB" },
  after: { title: "controller's memory after all was removed", unit: "MB" },
  "requests per instance": { title: "requests to the apiserver for each instance exposed", unit: "requests" },
  "requests per replacement": { title: "requests to the apiserver for each pod replaced", unit: "requests" },
  "turned away": { title: "requests rejected by the apiserver (429)", unit: "requests" },
  "turned away a second": { title: "requests rejected (429) per second", unit: "requests/s" },
  failed: { title: "attempts of the controller that failed because of it", unit: "attempts" },
};

const bars: Partial<Record<What, { at: "p99" | "max"; value: number }>> = {
  running: { at: "p99", value: 250 },
  mapped: { at: "p99", value: 250 },
  exposed: { at: "max", value: 60_000 },
  replaced: { at: "p99", value: 500 },
};

/** A rejected client waits at least one second; the product uses 24 connections, and 7 watches reconnect. */
const mostTurnedAway = 31;

/** Minimum number of measurements per subject, for valid percentiles. */
export type Least = { subject: string; what: What; times: number }[];

/** judge compares the measurements with their bars. */
export function judge({ took, counts, compared }: Measured, least: Least): Result[] {
  return [
    ...least.map(({ subject, what, times }) => ({
      ...wasMeasured(subject, took.filter((each) => each.subject === subject && each.what === what).length, times),
      metric: `times measured: ${titles[what]}`,
    })),
    ...[...Map.groupBy(took, (each) => `${each.subject}\n${each.what}`).values()].flatMap(times),
    ...counts.map(count),
    ...compared.flatMap(compare),
  ];
}

function times(own: Took[]): Result[] {
  const [first] = own;
  if (!first) return [];
  const bar = bars[first.what];
  const values = own.map((each) => each.ms);
  return [result(first.subject, titles[first.what], "ms", values, bar && { ...bar, op: "<=" })];
}

function count({ subject, what, value }: Count): Result {
  const { title, unit } = counted[what];
  if (what === "failed") return result(subject, title, unit, [value], { at: "max", op: "==", value: 0 });
  if (what === "turned away a second")
    return result(subject, title, unit, [value], { at: "max", op: "<=", value: mostTurnedAway });
  return result(subject, title, unit, [value]);
}

/** A round's p99 with some clusters unreachable, divided by that of the previous round with all healthy. Repetition excludes random effects. */
function compare({ subject, what, well, troubled }: Compared): Result[] {
  const ratios = troubled.map((round, i) => p99(round) / p99(well[i] ?? []));
  const title = titles[what];
  return [
    result(`${subject}, all healthy`, title, "ms", well.flat()),
    result(`${subject}, some unreachable`, title, "ms", troubled.flat()),
    result(subject, `${title}: p99 with some unreachable over that with all healthy`, "ratio", ratios, {
      at: "low",
      op: "<=",
      value: 1,
    }),
  ];
}

function p99(values: number[]): number {
  return result("", "", "ms", values).p99;
}

/** explain describes what the figures don't show. */
export function explain(): string[] {
  return [
    "a watch of the apiserver gives the times of pods and Services, and a long poll of the map those of mappings; both in one process, on one clock",
    "nodes and kubelets are kwok's, so a pod runs a few milliseconds after its creation; addresses are assigned by a controller of the benchmark, 16 at once",
    "the apiserver, etcd, the controllers of Kubernetes, PostgreSQL, the product and the benchmark share the processors",
  ];
}
