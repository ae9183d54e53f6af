import { summarize } from "@fairlead/domain/benchmark";
import { type Result, result } from "../result.ts";
import { coldStart, events, kill, mostFailedLater, mostRecoveryMs, ours } from "./bars.ts";
import type { Recovery, Turn } from "./measured.ts";

const bucketMs = 100;

/** A subject has recovered when the mean first stays below goodBy times that of the best subject in so many periods of 100 ms, without failures. */
const goodBy = 1.5;
const goodPeriods = 5;

/** goodAfterMs returns when means first stay below the limit, or the whole time if they never do. Without answers there is no mean. */
export function goodAfterMs({ meansMs, failures }: Recovery, limitMs: number): number {
  const isGood = meansMs.map((mean, period) => mean > 0 && mean <= limitMs && failures[period] === 0);
  const first = isGood.findIndex((_, period) => {
    const own = isGood.slice(period, period + goodPeriods);
    return own.length === goodPeriods && own.every(Boolean);
  });
  return bucketMs * (first < 0 ? isGood.length : first);
}

/** recoveries compares each subject with the mean that the best one has in the last second of the scenario. */
export function recoveries(turns: readonly Turn[]): Result[] {
  return [...events, coldStart].flatMap((scenario) => {
    const bySubject = Map.groupBy(
      turns.filter((turn) => turn.scenario === scenario && turn.recovery),
      ({ subject }) => subject,
    );
    // A subject that answered nothing in the last second has no mean. If none did, nothing has recovered.
    const finals = [...bySubject.values()].map((own) => summarize(own.map(finalMeanMs)).median);
    const answered = finals.filter((each) => each > 0);
    const bestMs = answered.length > 0 ? Math.min(...answered) : 0;
    return [...bySubject].flatMap(([subject, own]) => {
      const bar =
        subject === ours && scenario !== coldStart
          ? ({ at: "median", op: "<=", value: mostRecoveryMs } as const)
          : undefined;
      const after = own.flatMap(({ recovery }) => (recovery ? [goodAfterMs(recovery, goodBy * bestMs)] : []));
      const worst = own.flatMap(({ recovery }) => (recovery ? [Math.max(...recovery.meansMs)] : []));
      return [
        result(subject, `${scenario}: recovered after`, "ms", after, bar),
        result(subject, `${scenario}: worst mean of 100 ms`, "ms", worst),
        result(subject, `${scenario}: mean of the last second`, "ms", own.map(finalMeanMs)),
      ];
    });
  });
}

/** killed allows a few failures of requests that began after the kill, at each node. */
export function killed(turns: readonly Turn[]): Result[] {
  const later = turns.flatMap(({ scenario, subject, recovery }) =>
    scenario === kill && subject === ours && recovery ? [Math.max(...recovery.failedLater)] : [],
  );
  if (later.length === 0) return [];
  const bar = { at: "max", op: "<=", value: mostFailedLater } as const;
  return [result(ours, `${kill}: failures of a node's requests that began later`, "failures", later, bar)];
}

function finalMeanMs({ recovery }: Turn): number {
  return recovery?.finalMeanMs ?? 0;
}
