/** How far a live value may be trusted: live, late (a report or two missed) or silent (show it grey). */
export type Freshness = "live" | "late" | "silent" | "never";

/** freshness of something last seen at observedAt by a source that speaks every expectedEveryMs. */
export function freshness(observedAt: Date | null, expectedEveryMs: number, now: Date): Freshness {
  if (!observedAt) return "never";
  const age = now.getTime() - observedAt.getTime();
  if (age <= expectedEveryMs * 2) return "live";
  return age <= silentAfterMs(expectedEveryMs) ? "late" : "silent";
}

/** silentAfterMs is the age at which a source counts as silent: three missed reports, never under 15 s. */
export function silentAfterMs(expectedEveryMs: number): number {
  return Math.max(expectedEveryMs * 3, 15_000);
}

const soonestGivenUpMs = 60_000;

/** givenUpAfterMs is when an agent that stays silent is counted on no more: never before it counts as silent at all. */
export function givenUpAfterMs(expectedEveryMs: number): number {
  return Math.max(silentAfterMs(expectedEveryMs), soonestGivenUpMs);
}

/** How often the reconciler looks at an exposure that nothing happened to; its age is read against this. */
export const exposureLookedAtEveryMs = 5 * 60_000;
