import { describeEffects, type Exposure } from "@fairlead/domain/exposure";
import { auditDiff } from "@/components/audit/audit-diff.ts";
import { FieldChanges } from "@/components/audit/field-changes.tsx";
import { EffectList } from "@/components/spec/effect-list.tsx";
import { inEffectOf } from "../in-effect.ts";

/** What has changed in the spec since the pause, and what applying that does to clients; nothing if nothing has. */
export function ResumeChanges({ exposure }: { exposure: Exposure }) {
  const { name, workload, ports, strategy, healthCheck, specInEffect } = exposure;
  const changes = specInEffect ? auditDiff(specInEffect, { name, workload, ports, strategy, healthCheck }) : [];
  if (changes.length === 0) return null;
  return (
    <section aria-label="Changes since the pause">
      <h3 className="font-medium">Changes since the pause</h3>
      <EffectList effects={describeEffects(inEffectOf(exposure), exposure)} />
      <FieldChanges changes={changes} />
    </section>
  );
}
