"use client";
import type { Exposure, UpdateExposure } from "@fairlead/domain/exposure";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { auditDiff } from "@/components/audit/audit-diff.ts";
import { FieldChanges } from "@/components/audit/field-changes.tsx";
import { GuardedButton } from "@/components/detail/guarded-button.tsx";
import { readExposureSpec } from "@/components/spec/exposure-spec.ts";
import { HistorySection } from "@/components/spec/history-section.tsx";
import { notify } from "@/components/ui/layout/notices.tsx";
import { ConfirmDialog } from "@/components/ui/overlay/confirm-dialog.tsx";
import { useTRPC } from "@/trpc/client.tsx";

/** The versions of an exposure's spec. An older one can be restored. */
export function ExposureHistory({ exposure }: { exposure: Exposure }) {
  return (
    <HistorySection
      subjectId={exposure.id}
      read={readExposureSpec}
      actions={({ spec }) => (spec ? <Restore exposure={exposure} spec={spec} /> : null)}
    />
  );
}

function Restore({ exposure, spec }: { exposure: Exposure; spec: UpdateExposure }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [open, setOpen] = useState(false);
  const restore = useMutation(
    trpc.exposure.update.mutationOptions({
      onSuccess(after) {
        notify(`Restored an earlier version of ${after.name}.`);
        return queryClient.invalidateQueries({ queryKey: trpc.exposure.pathKey() });
      },
    }),
  );
  const changes = auditDiff(readExposureSpec(exposure), spec);
  const reason = exposure.deletedAt
    ? "The exposure is being deleted."
    : changes.length === 0
      ? "This version is the same as the current one."
      : null;
  return (
    <>
      <GuardedButton size="sm" permission="exposure:write" disabledReason={reason} onClick={() => setOpen(true)}>
        Restore…
      </GuardedButton>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title="Restore this version?"
        consequence={
          <>
            <p>The exposure gets a new version with these changes:</p>
            <FieldChanges changes={changes} />
          </>
        }
        action="Restore version"
        losesNothing
        onConfirm={() => restore.mutateAsync({ id: exposure.id, ...spec, expectedGeneration: exposure.generation })}
      />
    </>
  );
}
