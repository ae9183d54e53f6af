/** How current a value is: live, late (a report or two missed) or silent (shown in grey). */
export type Freshness = "live" | "late" | "silent" | "never";

/** freshness of a value observed at observedAt, from a source that reports every expectedEveryMs. */
export function freshness(observedAt: Date | null, expectedEveryMs: number, now: Date): Freshness {
  if (!observedAt) return "never";
  const age = now.getTime() - observedAt.getTime();
  if (age <= expectedEveryMs * 2) return "live";
  return age <= silentAfterMs(expectedEveryMs) ? "late" : "silent";
}

/** silentAfterMs is the age at which a source counts as silent: three missed reports, at least 15 s. */
export function silentAfterMs(expectedEveryMs: number): number {
  return Math.max(expectedEveryMs * 3, 15_000);
}

const soonestGivenUpMs = 60_000;

/** givenUpAfterMs is the age at which an agent is given up and its replicas move: never before it counts as silent. */
export function givenUpAfterMs(expectedEveryMs: number): number {
  return Math.max(silentAfterMs(expectedEveryMs), soonestGivenUpMs);
}

/** How often the reconciler checks an exposure without changes. Its freshness is relative to this. */
export const exposureLookedAtEveryMs = 5 * 60_000;
