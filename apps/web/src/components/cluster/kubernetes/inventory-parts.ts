import type { InventoryItem } from "@fairlead/domain/cluster";

type Kind = InventoryItem["kind"];
type Part = { title: string; kinds: readonly Kind[]; empty: string };

/** The types of resources, one shown at a time. */
export const inventoryParts = {
  workloads: {
    title: "Workloads",
    kinds: ["stateful-set", "deployment", "daemon-set"],
    empty: "No workloads. They appear within a second after they are created, once the cluster is reachable.",
  },
  nodes: { title: "Nodes", kinds: ["node"], empty: "No nodes." },
  services: {
    title: "Other Services",
    kinds: ["service"],
    empty: "No other Service is reachable from outside.",
  },
} as const satisfies Record<string, Part>;
export type InventoryPart = keyof typeof inventoryParts;

export const kindWords: Record<Kind, string> = {
  node: "Node",
  "stateful-set": "StatefulSet",
  deployment: "Deployment",
  "daemon-set": "DaemonSet",
  service: "Service",
};

/** newExposureHref links to the form for an exposure, filled in with a workload. */
export function newExposureHref(
  clusterId: string,
  { kind, namespace, name }: Pick<InventoryItem, "kind" | "namespace" | "name">,
): string {
  return `/exposures/new?${new URLSearchParams({ cluster: clusterId, kind, namespace, name })}`;
}
