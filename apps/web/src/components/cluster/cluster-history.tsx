"use client";
import type { Cluster } from "@fairlead/domain/cluster";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { readClusterSpec } from "@/components/spec/cluster-spec.ts";
import { HistorySection } from "@/components/spec/history-section.tsx";
import { RestoreVersion } from "@/components/spec/restore-version.tsx";
import { notify } from "@/components/ui/layout/notices.tsx";
import { useTRPC } from "@/trpc/client.tsx";

/** The versions of a cluster's name, region, labels and billing. An older one can be restored. */
export function ClusterHistory({ cluster }: { cluster: Cluster }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { id, generation } = cluster;
  const restore = useMutation(
    trpc.cluster.update.mutationOptions({
      onSuccess(after) {
        notify(`Restored an earlier version of ${after.name}.`);
        return queryClient.invalidateQueries({ queryKey: trpc.cluster.pathKey() });
      },
    }),
  );
  return (
    <HistorySection
      subjectId={id}
      hint="versions of the name, the region, the labels and where it runs"
      read={readClusterSpec}
      actions={({ spec }) =>
        spec ? (
          <RestoreVersion
            noun="cluster"
            current={readClusterSpec(cluster)}
            spec={spec}
            permission="cluster:write"
            onRestore={() => restore.mutateAsync({ id, ...spec, expectedGeneration: generation })}
          />
        ) : null
      }
    />
  );
}
