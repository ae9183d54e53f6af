"use client";
import type { Cluster } from "@fairlead/domain/cluster";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Checkbox } from "@/components/ui/form/checkbox.tsx";
import { notify } from "@/components/ui/layout/notices.tsx";
import { ConfirmDialog } from "@/components/ui/overlay/confirm-dialog.tsx";
import { countOf } from "@/components/words/numbers.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { problemOf } from "@/trpc/problem.ts";

const mostListed = 10;

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
  const placed = useQuery(
    trpc.cloudAddress.list.queryOptions(
      { clusterId: cluster?.id ?? "", limit: mostListed },
      { enabled: cluster !== null },
    ),
  );
  const [forgets, setForgets] = useState(false);
  // Marks can be left in a cloud without any address. Only the answer shows that.
  const [isRefused, setRefused] = useState(false);
  const nodes = cluster?.nodeCount ?? 0;
  const total = placed.data?.total ?? 0;
  const addresses = (placed.data?.items ?? []).map(({ address }) => address);
  const hasLeftovers = total > 0 || isRefused;
  return (
    <ConfirmDialog
      open={cluster !== null}
      onOpenChange={(open) => {
        if (open) return;
        setForgets(false);
        setRefused(false);
        onClose();
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
          {hasLeftovers ? (
            <div className="mt-2 flex flex-col gap-2">
              {total > 0 ? (
                <p>
                  Its cloud still routes {countOf(total, "address", "addresses")}:{" "}
                  <span className="break-words font-mono text-xs">{addresses.join(", ")}</span>
                  {total > addresses.length ? ` and ${total - addresses.length} more` : ""}.{" "}
                  {cluster?.cloudRoute
                    ? "Remove its cloud route first."
                    : "The cloud route is being removed: wait until that is done."}
                </p>
              ) : null}
              <label className="flex cursor-pointer items-start gap-2.5">
                <Checkbox className="mt-0.5" checked={forgets} onChange={({ target }) => setForgets(target.checked)} />
                <span>
                  Delete it anyway, because its cloud credentials no longer work. What is in the cloud stays there until
                  you remove it by hand; the audit log lists it.
                </span>
              </label>
            </div>
          ) : null}
        </>
      }
      onConfirm={async () => {
        if (!cluster) return;
        try {
          await remove.mutateAsync({
            id: cluster.id,
            ...(hasLeftovers && forgets ? { forgetCloudAddresses: true } : {}),
          });
        } catch (error) {
          setRefused(problemOf(error).fields.some(({ path }) => path[0] === "forgetCloudAddresses"));
          throw error;
        }
        await queryClient.invalidateQueries(trpc.cluster.pathFilter());
        notify(`Deleted ${cluster.name}.`);
        onDeleted();
      }}
    />
  );
}
