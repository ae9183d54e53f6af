import type { ShownClusterRouting, UpdateClusterRouting } from "@fairlead/domain/routing";
import { auditDiff, type FieldChange } from "../../audit/audit-diff.ts";

/** routingDifferences lists the changed fields. Of a password it shows only whether there is one. */
export function routingDifferences(
  { hasPassword, ...before }: ShownClusterRouting,
  { password, ...after }: UpdateClusterRouting,
): FieldChange[] {
  const changes = auditDiff(before, after);
  if (password === undefined || (password === null && !hasPassword)) return changes;
  return [
    ...changes,
    { path: "password", before: hasPassword ? "set" : "none", after: password === null ? "none" : "a new one" },
  ];
}
