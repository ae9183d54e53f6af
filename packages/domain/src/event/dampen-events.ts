/** Events of a flapping subject are recorded mostBeforeFlapping times within the window, then once as flapping, then not until it is quiet. */
export const flapWindowMs = 10 * 60_000;
const mostBeforeFlapping = 3;

export type EventPlan = "record" | "record-flapping" | "hold";

/** dampenEvents decides whether another event of the same subject and reason is recorded. */
export function dampenEvents(earlier: readonly Date[], flappingRecordedAt: Date | null, now: Date): EventPlan {
  const since = now.getTime() - flapWindowMs;
  if (flappingRecordedAt && flappingRecordedAt.getTime() > since) return "hold";
  const recent = earlier.filter((at) => at.getTime() > since).length;
  return recent < mostBeforeFlapping ? "record" : "record-flapping";
}
