"use client";
import type { Cluster } from "@fairlead/domain/cluster";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { describeClusterEffects, lacksKey, readClusterSpec } from "@/components/spec/cluster-spec.ts";
import { HistorySection } from "@/components/spec/history-section.tsx";
import { RestoreVersion } from "@/components/spec/restore-version.tsx";
import { notify } from "@/components/ui/layout/notices.tsx";
import { useTRPC } from "@/trpc/client.tsx";

/** The versions of a cluster's settings, without secrets. An older one can be restored. */
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
      hint="versions of the facts, where it runs, routing and cloud route, without secrets"
      read={readClusterSpec}
      actions={({ spec }) =>
        spec ? (
          <RestoreVersion
            noun="cluster"
            current={readClusterSpec(cluster)}
            spec={spec}
            permission="cluster:write"
            effects={describeClusterEffects(cluster, spec)}
            disabledReason={
              lacksKey(cluster.cloudRoute, spec.cloudRoute ?? null)
                ? "Its cloud route needs the access key again. Set it in the cloud settings."
                : null
            }
            {...(spec.routing && !cluster.routing
              ? { note: "Set the password of the sessions again, if they have one." }
              : {})}
            onRestore={() => restore.mutateAsync({ id, ...spec, expectedGeneration: generation })}
          />
        ) : null
      }
    />
  );
}
