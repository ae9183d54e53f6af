import type { AuditEntry } from "@fairlead/domain/access";
import { auditDiff, type FieldChange } from "../audit/audit-diff.ts";

/** A version of an object's spec, as the audit log has it. */
export type Version<Spec> = Pick<AuditEntry, "id" | "at" | "actorKind" | "actorName"> & {
  /** null if this version of Fairlead can't read it. */
  spec: Spec | null;
  isFirst: boolean;
  changes: FieldChange[];
};

/**
 * versionsOf lists the versions of a spec among the audit entries of an object, in their order. An entry that changed only
 * other fields is none.
 */
export function versionsOf<Spec>(
  entries: readonly AuditEntry[],
  read: (stored: unknown) => Spec | null,
): Version<Spec>[] {
  return entries
    .filter(({ action }) => action.endsWith(".create") || action.endsWith(".update"))
    .map(({ id, at, actorKind, actorName, before, after }) => {
      const [was, is] = [read(before), read(after)];
      return { id, at, actorKind, actorName, spec: is, isFirst: before === null, changes: auditDiff(was, is) };
    })
    .filter(({ spec, isFirst, changes }) => isFirst || spec === null || changes.length > 0);
}
