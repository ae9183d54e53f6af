import { type CreateExposure, describeEffects, type Exposure } from "@fairlead/domain/exposure";
import { auditDiff } from "../audit/audit-diff.ts";
import { FieldChanges } from "../audit/field-changes.tsx";
import { EffectList } from "../spec/effect-list.tsx";
import { exposureSpec } from "../spec/exposure-spec.ts";
import { inEffectOf } from "./in-effect.ts";

/** What saving changes, and what that does to clients and their connections. */
export function EditChanges({ base, spec }: { base: Exposure; spec: CreateExposure }) {
  const changes = auditDiff(exposureSpec(base), exposureSpec(spec));
  const effects = describeEffects(inEffectOf(base), spec);
  return (
    <section aria-label="Changes" aria-live="polite" className="mt-4 rounded-lg border bg-surface p-4 text-sm">
      <h2 className="font-semibold text-base">Changes</h2>
      {changes.length === 0 ? <p className="mt-2 text-muted">Nothing changed yet.</p> : null}
      <EffectList effects={effects} />
      <FieldChanges changes={changes} />
      {base.pausedAt && effects.length + changes.length > 0 ? (
        <p className="mt-2 text-muted">This happens when {base.name} is resumed.</p>
      ) : null}
    </section>
  );
}
