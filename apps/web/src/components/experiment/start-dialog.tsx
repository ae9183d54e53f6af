"use client";
import { Dialog } from "@/components/ui/dialog.tsx";
import { StartForm } from "./start-form.tsx";

/** Starts an experiment, after saying what it does to traffic. */
export function StartDialog(props: { open: boolean; clusterId: string | null; onClose: () => void }) {
  return (
    <Dialog
      open={props.open}
      onOpenChange={(next) => {
        if (!next) props.onClose();
      }}
      title="Start an experiment"
      description="Replicas are drained and taken back by chance, and what routes, traffic and clients make of it is measured. The others carry all traffic meanwhile."
    >
      <StartForm clusterId={props.clusterId} onCancel={props.onClose} />
    </Dialog>
  );
}
