import { type Load, loadAt, shareOf } from "./load.ts";
import type { TrafficProfile } from "./traffic-profile.ts";

/** Block is the load of each balancer in a part of the time. The weights of a shape add up to 1. */
export type Block = { weight: number; load: Load };
export type Shape = Block[];

/** Shapes are three distributions with the same average and peak: the cheapest, a typical one and the most expensive. */
export type Shapes = { low: Shape; typical: Shape; high: Shape };

// A rise from trough to peak in four steps, at the midpoints of the quarters of a cosine: their mean is exactly a half.
const rise = [0, 1, 2, 3].map((step) => (1 - Math.cos((Math.PI * (step + 0.5)) / 4)) / 2);

/**
 * shapesOf spreads traffic over a day. The cost of an hour is convex in its load, so constant traffic costs the least, and
 * traffic that is either at its peak or zero costs the most. A daily cycle is in between.
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
  // If the average is below half the peak, traffic rises from zero and is zero for the rest of the day.
  const trough = Math.max(0, 2 * averageMbps - peak);
  const awake = Math.min(1, 2 * busy);
  const typical = rise.map((step) => at(trough + (peak - trough) * step, awake / rise.length));
  return {
    low: flat,
    typical: awake < 1 ? [...typical, at(0, 1 - awake)] : typical,
    high: [at(peak, busy), at(0, 1 - busy)],
  };
}

/** peakMbpsOf is the peak at another average: it scales with the average. */
export function peakMbpsOf(profile: TrafficProfile, averageMbps = profile.averageMbps): number {
  const { peakMbps = profile.averageMbps } = profile;
  return profile.averageMbps > 0 ? peakMbps * (averageMbps / profile.averageMbps) : Math.max(peakMbps, averageMbps);
}
