"use client";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/trpc/client.tsx";

/** The name of the cluster that a list is filtered by, for its texts. */
export function useClusterName(clusterId: string | null): string | null {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.cluster.get.queryOptions({ id: clusterId ?? "" }, { enabled: clusterId !== null }));
  return clusterId ? (data?.name ?? "this cluster") : null;
}
