import { describeEffects, type Exposure } from "@fairlead/domain/exposure";
import { auditDiff } from "@/components/audit/audit-diff.ts";
import { FieldChanges } from "@/components/audit/field-changes.tsx";
import { EffectList } from "@/components/spec/effect-list.tsx";
import { inEffectOf } from "../in-effect.ts";

type Props = { exposure: Exposure; title?: string };

/** What has changed in the spec since the pause, and what applying that does to clients; nothing if nothing has. */
export function ResumeChanges({ exposure, title = "Changes since the pause" }: Props) {
  const changes = changesSincePause(exposure);
  if (changes.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3 className="font-medium">{title}</h3>
      <EffectList effects={describeEffects(inEffectOf(exposure), exposure)} />
      <FieldChanges changes={changes} />
    </section>
  );
}

export function changesSincePause(exposure: Exposure) {
  const { name, workload, ports, strategy, placements, healthCheck, specInEffect } = exposure;
  return specInEffect ? auditDiff(specInEffect, { name, workload, ports, strategy, placements, healthCheck }) : [];
}
