"use client";
import { useQuery } from "@tanstack/react-query";
import { useLiveInterval } from "@/components/detail/use-live-interval.ts";
import { useSettled } from "@/components/ui/use-settled.ts";
import { useTRPC } from "@/trpc/client.tsx";
import type { ExposureForm } from "./use-exposure-form.ts";
import { isChosen, optionsOfInstances, optionsOfInventory, suggest, workloadKinds } from "./workload-options.ts";

/** The maximum of one response. Larger clusters are searched by the typed name. */
const most = 200;

/** useWorkloads returns what the cluster of a form has now, as suggestions, and whether it has the entered workload. */
export function useWorkloads({ draft, cluster }: Pick<ExposureForm, "draft" | "cluster">) {
  const trpc = useTRPC();
  const refetchInterval = useLiveInterval();
  const typed = useSettled(draft.workloadName.trim());
  const clusterId = cluster?.id ?? "";
  const isKubernetes = cluster?.kind === "kubernetes";
  const workloads = { clusterId, kind: [...workloadKinds], limit: most };
  const all = useQuery({
    ...trpc.cluster.listInventory.queryOptions(workloads),
    enabled: isKubernetes && cluster.kubernetes !== null,
    refetchInterval,
  });
  const found = useQuery({
    ...trpc.cluster.listInventory.queryOptions({ ...workloads, search: typed }),
    enabled: (all.data?.total ?? 0) > most && typed !== "",
    refetchInterval,
  });
  const instances = useQuery({
    ...trpc.cluster.listInstances.queryOptions({ clusterId, sort: "workload", limit: most }),
    enabled: cluster !== undefined && !isKubernetes,
    refetchInterval,
  });
  const inventory = found.data ?? all.data;
  const page = inventory ?? instances.data;
  const options = inventory ? optionsOfInventory(inventory.items) : optionsOfInstances(instances.data?.items ?? []);
  const isComplete = page !== undefined && page.items.length === page.total && typed === draft.workloadName.trim();
  const namespaces = [...new Set(options.map(({ choice }) => choice.namespace))].sort();
  return {
    namespaces,
    suggestions: suggest(options, draft),
    isMissing: isComplete && typed !== "" && !options.some((option) => isChosen(option, draft)),
  };
}
