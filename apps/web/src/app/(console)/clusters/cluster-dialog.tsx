"use client";
import type { Cluster } from "@fairlead/domain";
import { Dialog } from "@/components/ui/dialog.tsx";
import { ClusterForm } from "./cluster-form.tsx";

/** Creates a cluster, or changes the one given. */
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
        cluster ? "Traffic is not affected by a name or a label." : "A place for nodes, pools and exposures."
      }
      wide={cluster === null}
    >
      <ClusterForm cluster={cluster} onCancel={onClose} onSaved={onSaved} />
    </Dialog>
  );
}
