import type { CloudRoute, UpdateCloudRoute } from "@fairlead/domain/cloud";
import { auditDiff, type FieldChange } from "../../audit/audit-diff.ts";

/** cloudRouteDifferences lists the changed fields. Of a key it shows only that there is a new one. */
export function cloudRouteDifferences(before: CloudRoute, { credentials, ...after }: UpdateCloudRoute): FieldChange[] {
  const changes = auditDiff(before, after);
  return credentials ? [...changes, { path: "credentials", before: "set", after: "a new key" }] : changes;
}
