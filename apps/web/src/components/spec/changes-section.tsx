import type { ReactNode } from "react";
import type { FieldChange } from "../audit/audit-diff.ts";
import { FieldChanges } from "../audit/field-changes.tsx";
import { EffectList } from "./effect-list.tsx";

/** What saving a form changes, and what that does to traffic. */
export function ChangesSection({
  changes,
  effects,
  children,
}: {
  changes: readonly FieldChange[];
  effects: readonly string[];
  children?: ReactNode;
}) {
  return (
    <section aria-label="Changes" aria-live="polite" className="rounded-lg border bg-surface p-4 text-sm">
      <h2 className="font-semibold text-base">Changes</h2>
      {changes.length === 0 ? <p className="mt-2 text-muted">Nothing changed yet.</p> : null}
      <EffectList effects={effects} />
      <FieldChanges changes={changes} />
      {children}
    </section>
  );
}
