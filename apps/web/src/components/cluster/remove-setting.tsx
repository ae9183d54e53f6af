"use client";
import { useState } from "react";
import { Button } from "@/components/ui/action/button.tsx";
import { ConfirmDialog } from "@/components/ui/overlay/confirm-dialog.tsx";

/** Removes a setting of a cluster, after a dialog that shows the effect on traffic. */
export function RemoveSetting({
  noun,
  clusterName,
  consequence,
  onRemove,
}: {
  noun: string;
  clusterName: string;
  consequence: string;
  onRemove: () => Promise<unknown>;
}) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Remove {noun}</Button>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title={`Remove the ${noun} of ${clusterName}?`}
        action={`Remove ${noun}`}
        consequence={<p>{consequence}</p>}
        onConfirm={onRemove}
      />
    </>
  );
}
