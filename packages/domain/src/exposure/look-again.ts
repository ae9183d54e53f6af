const soonestMs = 2_000;
const latestMs = 30_000;

/** lookAgainAfterMs is the delay until the next check of something that isn't ready: a quarter of the time it has taken so far, within bounds. */
export function lookAgainAfterMs(notReadySince: Date, now: Date): number {
  const waitedMs = now.getTime() - notReadySince.getTime();
  return Math.round(Math.min(latestMs, Math.max(soonestMs, waitedMs / 4)));
}
