import type { Condition } from "./condition.ts";
import type { Exposure } from "./exposure.ts";

type Pausable = Pick<Exposure, "pausedAt" | "observedAt" | "generation" | "observedGeneration">;

/**
 * pausedCondition returns the condition of a paused exposure; null for another. It is unknown until a later observation
 * shows that no change which began before is still in progress.
 */
export function pausedCondition({ pausedAt, observedAt, generation, observedGeneration }: Pausable): Condition | null {
  if (pausedAt === null) return null;
  const paused = { type: "Paused", changedAt: pausedAt };
  if (observedAt === null || observedAt <= pausedAt)
    return { ...paused, status: "unknown", reason: "Pausing", message: "A change that began before may still finish." };
  const edits = generation > observedGeneration ? " The newest spec is applied then." : "";
  return {
    ...paused,
    status: "true",
    reason: "Paused",
    message: `Nothing is changed or repaired until it is resumed.${edits}`,
  };
}
