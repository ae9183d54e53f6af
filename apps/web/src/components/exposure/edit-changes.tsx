import type { CreateExposure, Exposure } from "@fairlead/domain/exposure";
import { auditDiff } from "../audit/audit-diff.ts";
import { FieldChanges } from "../audit/field-changes.tsx";
import { exposureSpec } from "../spec/exposure-spec.ts";
import { StatusGlyph } from "../ui/status/status-badge.tsx";
import { describeBreaks, inEffectOf } from "./describe-breaks.ts";

/** What saving changes, and what that ends for clients. */
export function EditChanges({ base, spec }: { base: Exposure; spec: CreateExposure }) {
  const changes = auditDiff(exposureSpec(base), exposureSpec(spec));
  const breaks = describeBreaks(inEffectOf(base), spec);
  return (
    <section aria-label="Changes" aria-live="polite" className="mt-4 rounded-lg border bg-surface p-4 text-sm">
      <h2 className="font-semibold text-base">Changes</h2>
      {changes.length === 0 ? <p className="mt-2 text-muted">Nothing changed yet.</p> : null}
      {breaks.map((text) => (
        <p key={text} className="mt-2 flex gap-2">
          <StatusGlyph shape="triangle" className="mt-1 text-warn" />
          {text}
        </p>
      ))}
      <FieldChanges changes={changes} />
      {base.pausedAt && breaks.length + changes.length > 0 ? (
        <p className="mt-2 text-muted">This happens when {base.name} is resumed.</p>
      ) : null}
    </section>
  );
}
