import type { CostGroup } from "@fairlead/domain";

export type DayPoint = CostGroup["points"][number];

/** sumDays adds up what groups cost each day. A day is as known as all of them together are. */
export function sumDays(groups: readonly CostGroup[]): DayPoint[] {
  const days = new Map<number, { micros: number; known: number; hours: number }>();
  for (const { points, balancerHours } of groups)
    for (const { at, micros, knownShare } of points) {
      const day = days.get(at.getTime()) ?? { micros: 0, known: 0, hours: 0 };
      const weight = balancerHours / points.length;
      days.set(at.getTime(), {
        micros: day.micros + micros,
        known: day.known + knownShare * weight,
        hours: day.hours + weight,
      });
    }
  return [...days]
    .sort(([a], [b]) => a - b)
    .map(([at, { micros, known, hours }]) => ({ at: new Date(at), micros, knownShare: hours > 0 ? known / hours : 0 }));
}
