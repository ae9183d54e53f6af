import { z } from "zod";
import type { ConditionReason } from "../event/reasons.ts";

/** A condition is one aspect of an object's status, with a reason (one word) and a message (a sentence). */
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

/** NewCondition is a condition of this version. A stored one may be from another version. */
export type NewCondition = Omit<Condition, "changedAt" | "reason"> & { reason: ConditionReason };

/** setCondition keeps changedAt unless status or reason changed. */
export function setCondition(conditions: Condition[], next: Omit<Condition, "changedAt">, now: Date): Condition[] {
  const before = conditions.find((each) => each.type === next.type);
  const same = before?.status === next.status && before.reason === next.reason;
  const merged = { ...next, changedAt: same ? before.changedAt : now };
  return [...conditions.filter((each) => each.type !== next.type), merged].sort((a, b) => a.type.localeCompare(b.type));
}
