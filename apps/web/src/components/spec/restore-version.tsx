"use client";
import type { Permission } from "@fairlead/domain/access";
import { useState } from "react";
import { auditDiff } from "@/components/audit/audit-diff.ts";
import { FieldChanges } from "@/components/audit/field-changes.tsx";
import { GuardedButton } from "@/components/detail/guarded-button.tsx";
import { ConfirmDialog } from "../ui/overlay/confirm-dialog.tsx";
import { EffectList } from "./effect-list.tsx";

/** Restores an earlier version of a spec as the next one, after a confirmation that lists the changes. */
export function RestoreVersion({
  noun,
  current,
  spec,
  permission,
  effects = [],
  note,
  disabledReason = null,
  onRestore,
}: {
  noun: string;
  current: unknown;
  spec: unknown;
  permission: Permission;
  /** What the changes do to clients. */
  effects?: readonly string[];
  /** More about its effect. */
  note?: string;
  disabledReason?: string | null;
  onRestore: () => Promise<unknown>;
}) {
  const [open, setOpen] = useState(false);
  const changes = auditDiff(current, spec);
  const reason = disabledReason ?? (changes.length === 0 ? "This version is the same as the current one." : null);
  return (
    <>
      <GuardedButton size="sm" permission={permission} disabledReason={reason} onClick={() => setOpen(true)}>
        Restore…
      </GuardedButton>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title="Restore this version?"
        consequence={
          <>
            <p>The {noun} gets a new version with these changes:</p>
            <EffectList effects={effects} />
            <div className="mt-2">
              <FieldChanges changes={changes} />
            </div>
            {note ? <p className="mt-2">{note}</p> : null}
          </>
        }
        action="Restore version"
        losesNothing
        onConfirm={onRestore}
      />
    </>
  );
}
