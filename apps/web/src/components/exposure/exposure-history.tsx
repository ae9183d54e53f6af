"use client";
import { describeEffects, type Exposure } from "@fairlead/domain/exposure";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { readExposureSpec } from "@/components/spec/exposure-spec.ts";
import { HistorySection } from "@/components/spec/history-section.tsx";
import { RestoreVersion } from "@/components/spec/restore-version.tsx";
import { notify } from "@/components/ui/layout/notices.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { whenApplied } from "./describe-exposure.ts";
import { inEffectOf, specAfter } from "./in-effect.ts";

/** The versions of an exposure's spec. An older one can be restored. */
export function ExposureHistory({ exposure }: { exposure: Exposure }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { id, generation } = exposure;
  const restore = useMutation(
    trpc.exposure.update.mutationOptions({
      onSuccess(after) {
        notify(`Restored an earlier version of ${after.name}.${whenApplied(after)}`);
        return queryClient.invalidateQueries({ queryKey: trpc.exposure.pathKey() });
      },
    }),
  );
  return (
    <HistorySection
      subjectId={id}
      read={readExposureSpec}
      hint="versions of the spec, and pauses"
      others={{
        "exposure.pause": "Paused",
        "exposure.resume": "Resumed",
        "exposure.rotate-ticket-keys": "Rotated ticket keys",
      }}
      actions={({ spec }) =>
        spec ? (
          <RestoreVersion
            noun="exposure"
            current={readExposureSpec(exposure)}
            spec={spec}
            permission="exposure:write"
            effects={describeEffects(inEffectOf(exposure), specAfter(exposure, spec))}
            note={whenApplied(exposure)}
            disabledReason={exposure.deletedAt ? "The exposure is being deleted." : null}
            onRestore={() => restore.mutateAsync({ id, ...spec, expectedGeneration: generation })}
          />
        ) : null
      }
    />
  );
}
