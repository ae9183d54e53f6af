/** Something that flaps is told this often within the window, then once as flapping, then no more until it is quiet. */
export const flapWindowMs = 10 * 60_000;
const toldBeforeFlapping = 3;

export type EventPlan = "tell" | "tell-flapping" | "hold";

/** dampenEvents decides whether one more event of the same subject and reason is worth a person's time. */
export function dampenEvents(earlier: readonly Date[], flappingToldAt: Date | null, now: Date): EventPlan {
  const since = now.getTime() - flapWindowMs;
  if (flappingToldAt && flappingToldAt.getTime() > since) return "hold";
  const recent = earlier.filter((at) => at.getTime() > since).length;
  return recent < toldBeforeFlapping ? "tell" : "tell-flapping";
}
