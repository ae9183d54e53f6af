"use client";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/trpc/client.tsx";
import type { ExposureDraft } from "./draft.ts";

const workloadKinds = ["stateful-set", "deployment", "daemon-set"] as const;

/** useWorkloadNames returns suggestions from the cluster of a spec, if it is known. */
export function useWorkloadNames({ clusterId, workloadKind, namespace }: ExposureDraft) {
  const trpc = useTRPC();
  const { data } = useQuery({
    ...trpc.cluster.listInventory.queryOptions({ clusterId, kind: [...workloadKinds], limit: 200 }),
    enabled: clusterId !== "",
  });
  const items = data?.items ?? [];
  return {
    namespaces: [...new Set(items.map((each) => each.namespace))].sort(),
    names: items.filter((each) => each.kind === workloadKind && each.namespace === namespace).map((each) => each.name),
  };
}
