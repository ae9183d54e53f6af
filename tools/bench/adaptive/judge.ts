import { type Result, result, wasMeasured } from "../result.ts";
import {
  alone,
  events,
  figures,
  kill,
  nodeRate,
  ours,
  type Ratio,
  ratios,
  sameNode,
  shares,
  withoutBars,
} from "./bars.ts";
import { coresOf, localShare, type Measured, perSecond, type Turn } from "./measured.ts";
import { killed, recoveries } from "./recovery.ts";

/** How much has to be measured. A smoke run needs no idle machine, so its void turns count. */
export type Least = { rounds: number; countsVoid: boolean; scenarios?: string[]; subjects?: string[] };

/** judge compares the strategy with its bars. Each ratio is of two turns of the same round. */
export function judge({ turns }: Pick<Measured, "turns">, least: Least): Result[] {
  const valid = turns.filter((turn) => least.countsVoid || turn.void.length === 0);
  return [
    ...measuredEnough(valid, least),
    ...plan(valid),
    ...ratios.flatMap((ratio) => compare(valid, ratio)),
    ...shares.flatMap(({ scenario, least: value }) =>
      all(ours, `${scenario}: served at their node`, "%", turnsOf(valid, scenario, ours).map(localShare), {
        at: "median",
        op: ">=",
        value,
      }),
    ),
    ...recoveries(valid),
    ...killed(valid),
    ...plainFigures(valid),
  ];
}

/** measuredEnough requires the rounds of ours in each scenario, and both turns of each ratio: without figures no bar is held. */
function measuredEnough(turns: Turn[], { rounds, scenarios, subjects }: Least): Result[] {
  const isWanted = ({ scenario, subject }: { scenario: string; subject: string }) =>
    (!scenarios || scenarios.includes(scenario)) && (!subjects || subjects.includes(subject));
  const own = [...ratios.map(({ of }) => of.scenario), ...events, kill, ...withoutBars];
  const counts = [...new Set(own)]
    .map((scenario) => ({ scenario, subject: ours }))
    .filter(isWanted)
    .map((end) => ({ ...end, metric: "rounds that count", count: turnsOf(turns, end.scenario, ours).length }));
  const pairs = ratios
    .filter(({ of, to }) => isWanted(of) && isWanted(to))
    .map((ratio) => ({ ...ratio.of, metric: `rounds of ${nameOf(ratio)}`, count: quotients(turns, ratio).length }));
  return [...counts, ...pairs].map(({ scenario, subject, metric, count }) => ({
    ...wasMeasured(subject, count, rounds),
    metric: `${scenario}: ${metric}`,
  }));
}

function plan(turns: Turn[]): Result[] {
  const values = turnsOf(turns, alone, sameNode).map((turn) => perSecond(turn) / nodeRate);
  return [
    ...all("lab", "one node alone, of plan", "ratio", values, { at: "median", op: ">=", value: 0.97 }),
    ...all("lab", "one node alone, at most of plan", "ratio", values, { at: "median", op: "<=", value: 1.03 }),
  ];
}

function compare(turns: Turn[], ratio: Ratio): Result[] {
  const { of, op, value } = ratio;
  const bar = { at: "median", op, value } as const;
  return all(of.subject, `${of.scenario}: ${nameOf(ratio)}`, "ratio", quotients(turns, ratio), bar);
}

function nameOf({ figure, of, to }: Ratio): string {
  return `${figures[figure].name} ÷ ${of.scenario === to.scenario ? to.subject : to.scenario}`;
}

function quotients(turns: Turn[], { figure, of, to }: Ratio): number[] {
  const base = new Map(turnsOf(turns, to.scenario, to.subject).map((turn) => [turn.round, figures[figure].of(turn)]));
  return turnsOf(turns, of.scenario, of.subject).flatMap((turn) => {
    const other = base.get(turn.round);
    return other ? [figures[figure].of(turn) / other] : [];
  });
}

function plainFigures(turns: Turn[]): Result[] {
  return [...new Set(turns.map(({ scenario }) => scenario))].flatMap((scenario) =>
    subjectsOf(turns, scenario).flatMap((subject) => {
      const own = turnsOf(turns, scenario, subject);
      return [
        ...all(subject, scenario, "requests/s", own.map(perSecond)),
        ...(["mean", "p99"] as const).flatMap((figure) =>
          all(subject, `${scenario}: ${figures[figure].name}`, "ms", own.map(figures[figure].of)),
        ),
        ...all(subject, `${scenario}: at their node`, "%", own.map(localShare)),
        ...all(subject, `${scenario}: used by the lab`, "cores", own.map(coresOf)),
        ...all(
          subject,
          `${scenario}: failed`,
          "failures",
          own.map(({ failed }) => failed),
        ),
      ];
    }),
  );
}

function turnsOf(turns: Turn[], scenario: string, subject: string): Turn[] {
  return turns.filter((turn) => turn.scenario === scenario && turn.subject === subject);
}

function subjectsOf(turns: Turn[], scenario: string): string[] {
  return [...new Set(turns.filter((turn) => turn.scenario === scenario).map(({ subject }) => subject))];
}

/** all returns one figure, or none if nothing was measured. */
function all(...[subject, metric, unit, values, bar]: Parameters<typeof result>): Result[] {
  return values.length > 0 ? [result(subject, metric, unit, values, bar)] : [];
}

/** explain describes what the figures don't show. */
export function explain({ turns, leftOut }: Pick<Measured, "turns" | "leftOut">): string[] {
  const reasons = Map.groupBy(
    turns.filter((turn) => turn.void.length > 0),
    ({ scenario }) => scenario,
  );
  return [
    "agents run in all turns; strategies other than adaptive, iptables and IPVS choose in the clients' process, so the cost of a proxy is left out",
    "metrics for RAP are a second old, which is better for it than the 15 seconds of a metrics-server",
    ...[...reasons].map(
      ([scenario, own]) => `${scenario}: ${own.length} turns are void, the first because ${own[0]?.void.join("; ")}`,
    ),
    ...turns.flatMap(({ round, scenario, subject, failed, because }) =>
      failed > 0 && subject === ours
        ? [`round ${round + 1}, ${scenario}, ${subject}: ${failed} requests failed, the first: ${because}`]
        : [],
    ),
    ...leftOut.map(({ subject, reason }) => `${subject} was not measured: ${reason}`),
  ];
}
