"use client";
import type { Cluster } from "@fairlead/domain/cluster";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { notify } from "@/components/ui/layout/notices.tsx";
import { ConfirmDialog } from "@/components/ui/overlay/confirm-dialog.tsx";
import { countOf } from "@/components/words/numbers.ts";
import { useTRPC } from "@/trpc/client.tsx";

export function DeleteCluster({
  cluster,
  onClose,
  onDeleted,
}: {
  cluster: Cluster | null;
  onClose: () => void;
  onDeleted: () => void;
}) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const remove = useMutation(trpc.cluster.delete.mutationOptions());
  const nodes = cluster?.nodeCount ?? 0;
  return (
    <ConfirmDialog
      open={cluster !== null}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={`Delete ${cluster?.name ?? "the cluster"}?`}
      {...(nodes > 0 && cluster ? { typed: cluster.name } : {})}
      action="Delete cluster"
      consequence={
        <>
          <p>
            {nodes > 0
              ? `Its ${countOf(nodes, "node")} and address pools are deleted, and their agents lose their credentials.`
              : "It has no nodes. Its address pools are deleted."}
          </p>
          {cluster && cluster.exposureCount > 0 ? (
            <p className="mt-2">
              It still has {countOf(cluster.exposureCount, "exposure")}. Delete them first: otherwise the request is
              rejected, because their balancers would keep running unmanaged.
            </p>
          ) : null}
        </>
      }
      onConfirm={async () => {
        if (!cluster) return;
        await remove.mutateAsync({ id: cluster.id });
        await queryClient.invalidateQueries(trpc.cluster.pathFilter());
        notify(`Deleted ${cluster.name}.`);
        onDeleted();
      }}
    />
  );
}
