import { type Load, loadAt, shareOf } from "./load.ts";
import type { TrafficProfile } from "./traffic-profile.ts";

/** Block is a part of the time, and what each balancer carries in it. Those of a shape take all of it together. */
export type Block = { weight: number; load: Load };
export type Shape = Block[];

/** Shapes are three ways to come to the same average and peak: the least, a usual and the most that it can cost. */
export type Shapes = { low: Shape; typical: Shape; high: Shape };

// A rise from trough to peak in four steps, the middles of the quarters of a cosine's: their mean is exactly a half.
const rise = [0, 1, 2, 3].map((step) => (1 - Math.cos((Math.PI * (step + 0.5)) / 4)) / 2);

/**
 * shapesOf spreads a traffic over a day. What an hour costs bends upward with its load, so that traffic which never
 * changes costs least, and one that is at its peak or away costs most; a day that swells and ebbs lies between.
 */
export function shapesOf(profile: TrafficProfile, balancers: number, averageMbps = profile.averageMbps): Shapes {
  const at = (mbps: number, weight: number): Block => ({
    weight,
    load: balancers === 1 ? loadAt(profile, mbps) : shareOf(loadAt(profile, mbps), balancers),
  });
  const peak = peakMbpsOf(profile, averageMbps);
  const flat = [at(averageMbps, 1)];
  if (!(peak > averageMbps) || averageMbps === 0) return { low: flat, typical: flat, high: flat };
  const busy = averageMbps / peak;
  // Where the average is less than half the peak, traffic rises from nothing and is away for the rest of the day.
  const trough = Math.max(0, 2 * averageMbps - peak);
  const awake = Math.min(1, 2 * busy);
  const typical = rise.map((step) => at(trough + (peak - trough) * step, awake / rise.length));
  return {
    low: flat,
    typical: awake < 1 ? [...typical, at(0, 1 - awake)] : typical,
    high: [at(peak, busy), at(0, 1 - busy)],
  };
}

/** peakMbpsOf is the peak at another average: it rises and falls with it. */
export function peakMbpsOf(profile: TrafficProfile, averageMbps = profile.averageMbps): number {
  const { peakMbps = profile.averageMbps } = profile;
  return profile.averageMbps > 0 ? peakMbps * (averageMbps / profile.averageMbps) : Math.max(peakMbps, averageMbps);
}
