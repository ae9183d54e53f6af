import { localShare, perSecond, type Turn } from "../adaptive/measured.ts";
import { type Result, required, result, wasMeasured } from "../result.ts";
import { leastRoundTripMs } from "./plan.ts";

export const ours = "adaptive";
export const kubeProxy = "kube-proxy";

/** The names of the Go variable podScenarios that have a bar. */
export const stressed = ["a stressed node, load 0.15", "a stressed node, load 0.4"] as const;
/** Of the tail at kube-proxy. */
const mostTail = 0.8;

export type Measured = { turns: Turn[]; roundTripsMs: number[] };
/** How much has to be measured. A smoke run needs no idle machine, so its void turns count. */
export type Least = { rounds: number; countsVoid: boolean; scenarios?: string[] };

/** judge compares both subjects in turns of the same round. */
export function judge({ turns, roundTripsMs }: Measured, least: Least): Result[] {
  const valid = turns.filter((turn) => least.countsVoid || turn.void.length === 0);
  const scenarios = [...new Set(turns.map(({ scenario }) => scenario))];
  const wanted = stressed.filter((scenario) => !least.scenarios || least.scenarios.includes(scenario));
  return [
    required(
      result("lab", "shortest round trip between nodes", "ms", [Math.min(...roundTripsMs)], {
        ...{ at: "low", op: ">=", value: leastRoundTripMs },
      }),
    ),
    ...wanted.flatMap((scenario) => tails(valid, scenario, least.rounds)),
    ...answered(turns),
    ...scenarios.flatMap((scenario) => [ours, kubeProxy].flatMap((subject) => figures(valid, scenario, subject))),
  ];
}

function tails(turns: Turn[], scenario: string, rounds: number): Result[] {
  const of = (subject: string) => new Map(turnsOf(turns, scenario, subject).map((turn) => [turn.round, turn.p99Ms]));
  const base = of(kubeProxy);
  const ratios = [...of(ours)].flatMap(([round, p99]) => {
    const other = base.get(round);
    return other ? [p99 / other] : [];
  });
  const counted = { ...wasMeasured(ours, ratios.length, rounds), metric: `${scenario}: rounds that count` };
  if (ratios.length === 0) return [counted];
  const bar = { at: "median", op: "<=", value: mostTail } as const;
  return [counted, result(ours, `${scenario}: p99 ÷ ${kubeProxy}`, "ratio", ratios, bar)];
}

/** No request may fail, also in turns whose times don't count. */
function answered(turns: Turn[]): Result[] {
  const own = turns.filter(({ subject }) => subject === ours);
  if (own.length === 0) return [wasMeasured(ours, 0)];
  const failed = result(
    ours,
    "failed",
    "requests",
    own.map(({ failed }) => failed),
    { at: "max", op: "==", value: 0 },
  );
  return [
    required(failed),
    {
      ...wasMeasured(ours, Math.min(...turns.map(({ requests }) => requests))),
      metric: "requests answered in each turn",
    },
  ];
}

function figures(turns: Turn[], scenario: string, subject: string): Result[] {
  const own = turnsOf(turns, scenario, subject);
  if (own.length === 0) return [];
  const each = (metric: string, unit: string, value: (turn: Turn) => number) =>
    result(subject, `${scenario}: ${metric}`, unit, own.map(value));
  const workers = own[0]?.workers?.length ?? 0;
  return [
    each("answered", "requests/s", perSecond),
    each("mean", "ms", ({ meanMs }) => meanMs),
    each("p99", "ms", ({ p99Ms }) => p99Ms),
    each("at their node", "%", localShare),
    each("failed", "requests", ({ failed }) => failed),
    ...Array.from({ length: workers }, (_, at) =>
      each(`CPU of worker ${at + 1}`, "%", (turn) => 100 * (turn.workers?.[at] ?? 0)),
    ),
  ];
}

function turnsOf(turns: Turn[], scenario: string, subject: string): Turn[] {
  return turns.filter((turn) => turn.scenario === scenario && turn.subject === subject);
}

/** explain describes what the figures don't show. */
export function explain({ turns }: Measured): string[] {
  const reasons = Map.groupBy(
    turns.filter((turn) => turn.void.length > 0),
    ({ scenario, subject }) => `${scenario}, ${subject}`,
  );
  return [
    "clients are in pods of each node's network, but without a part of its CPU time; agents and servers share it",
    `requests were sent late by ${Math.max(0, ...turns.map(({ latenessP99Ms }) => latenessP99Ms)).toFixed(2)} ms at most (p99 of a turn)`,
    ...[...reasons].map(
      ([name, own]) => `${name}: ${own.length} turns are void, the first because ${own[0]?.void.join("; ")}`,
    ),
    ...turns.flatMap(({ round, scenario, subject, failed, because }) =>
      failed > 0
        ? [`round ${round + 1}, ${scenario}, ${subject}: ${failed} requests failed, the first: ${because}`]
        : [],
    ),
  ];
}
