"use client";
import type { Cluster } from "@fairlead/domain/cluster";
import { Dialog } from "@/components/ui/overlay/dialog.tsx";
import { ClusterForm } from "./cluster-form.tsx";

/** Creates a cluster, or edits the given one. */
export function ClusterDialog({
  open,
  cluster = null,
  onClose,
  onSaved,
}: {
  open: boolean;
  cluster?: Cluster | null;
  onClose: () => void;
  onSaved: (cluster: Cluster) => void;
}) {
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      title={cluster ? `Edit ${cluster.name}` : "Create a cluster"}
      description={
        cluster
          ? "Changing the name or the labels does not affect traffic."
          : "Holds nodes, address pools and exposures."
      }
      wide={cluster === null}
    >
      <ClusterForm cluster={cluster} onCancel={onClose} onSaved={onSaved} />
    </Dialog>
  );
}
