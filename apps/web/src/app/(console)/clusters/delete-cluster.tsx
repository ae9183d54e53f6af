"use client";
import type { Cluster } from "@fairlead/domain";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { notify } from "@/components/ui/notices.tsx";
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
      action="Delete the cluster"
      consequence={
        <>
          <p>
            {nodes > 0
              ? `Its ${countOf(nodes, "node")} and address pools are forgotten, and their agents lose their credentials.`
              : "It has no nodes. Its address pools are forgotten."}
          </p>
          {cluster && cluster.exposureCount > 0 ? (
            <p className="mt-2">
              It still has {countOf(cluster.exposureCount, "exposure")}: until those are deleted, this will be refused,
              because their balancers would go on without us.
            </p>
          ) : null}
        </>
      }
      onConfirm={async () => {
        if (!cluster) return;
        await remove.mutateAsync({ id: cluster.id });
        await queryClient.invalidateQueries(trpc.cluster.pathFilter());
        notify(`${cluster.name} is deleted.`);
        onDeleted();
      }}
    />
  );
}
