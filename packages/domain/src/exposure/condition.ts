import { z } from "zod";
import type { ConditionReason } from "../event/reasons.ts";

/** A condition is one true-or-false fact about an object, with the reason in a word and in a sentence. */
export const condition = z
  .object({
    type: z.string(),
    status: z.enum(["true", "false", "unknown"]),
    reason: z.string(),
    message: z.string(),
    changedAt: z.date(),
  })
  .meta({ id: "Condition" });
export type Condition = z.infer<typeof condition>;

/** NewCondition is one that this version reports; a stored one may be of another version. */
export type NewCondition = Omit<Condition, "changedAt" | "reason"> & { reason: ConditionReason };

/** setCondition keeps changedAt unless the fact itself changed, so that it says since when. */
export function setCondition(conditions: Condition[], next: Omit<Condition, "changedAt">, now: Date): Condition[] {
  const before = conditions.find((each) => each.type === next.type);
  const same = before?.status === next.status && before.reason === next.reason;
  const merged = { ...next, changedAt: same ? before.changedAt : now };
  return [...conditions.filter((each) => each.type !== next.type), merged].sort((a, b) => a.type.localeCompare(b.type));
}
