import { type CreateExposure, describeEffects, type Exposure } from "@fairlead/domain/exposure";
import { auditDiff } from "../audit/audit-diff.ts";
import { ChangesSection } from "../spec/changes-section.tsx";
import { exposureSpec } from "../spec/exposure-spec.ts";
import { inEffectOf } from "./in-effect.ts";

/** What saving changes, and what that does to clients and their connections. */
export function EditChanges({ base, spec }: { base: Exposure; spec: CreateExposure }) {
  const changes = auditDiff(exposureSpec(base), exposureSpec(spec));
  const effects = describeEffects(inEffectOf(base), spec);
  return (
    <div className="mt-4">
      <ChangesSection changes={changes} effects={effects}>
        {base.pausedAt && effects.length + changes.length > 0 ? (
          <p className="mt-2 text-muted">This happens when {base.name} is resumed.</p>
        ) : null}
      </ChangesSection>
    </div>
  );
}
