"use client";
import type { Cluster } from "@fairlead/domain/cluster";
import { Dialog } from "@/components/ui/overlay/dialog.tsx";
import { ClusterForm } from "./cluster-form.tsx";

/** Creates a cluster, as a copy of another one if that is given, or edits the given one. */
export function ClusterDialog({
  open,
  cluster = null,
  original = null,
  onClose,
  onSaved,
}: {
  open: boolean;
  cluster?: Cluster | null;
  original?: Cluster | null;
  onClose: () => void;
  onSaved: (cluster: Cluster) => void;
}) {
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      title={cluster ? `Edit ${cluster.name}` : original ? `Clone ${original.name}` : "Create a cluster"}
      description={
        cluster
          ? "Changing the name or the labels does not affect traffic."
          : original
            ? "Copies its kind, region and labels. Set its access, routing and cloud on its own page."
            : "Holds nodes, address pools and exposures."
      }
      wide={cluster === null}
    >
      <ClusterForm cluster={cluster} original={original} onCancel={onClose} onSaved={onSaved} />
    </Dialog>
  );
}
