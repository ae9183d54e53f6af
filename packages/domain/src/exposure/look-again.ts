const soonestMs = 2_000;
const latestMs = 30_000;

/** lookAgainAfterMs is when to look again at something that isn't ready: soon at first, then at a quarter of the time it has taken. */
export function lookAgainAfterMs(notReadySince: Date, now: Date): number {
  const waitedMs = now.getTime() - notReadySince.getTime();
  return Math.round(Math.min(latestMs, Math.max(soonestMs, waitedMs / 4)));
}
