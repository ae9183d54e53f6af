"use client";
import { Dialog } from "@/components/ui/overlay/dialog.tsx";
import { StartForm } from "./start-form.tsx";

/** Starts an experiment, and explains its effect on traffic. */
export function StartDialog(props: { open: boolean; clusterId: string | null; onClose: () => void }) {
  return (
    <Dialog
      open={props.open}
      onOpenChange={(next) => {
        if (!next) props.onClose();
      }}
      title="Start an experiment"
      description="Replicas are drained and restored at random, while routes, traffic and clients are measured. The other replicas carry all traffic."
      docs="experimentSettings"
    >
      <StartForm clusterId={props.clusterId} onCancel={props.onClose} />
    </Dialog>
  );
}
