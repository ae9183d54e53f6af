import type { InventoryItem } from "@fairlead/domain";

type Kind = InventoryItem["kind"];
type Part = { title: string; kinds: readonly Kind[]; empty: string };

/** What people look for at one time. */
export const inventoryParts = {
  workloads: {
    title: "Workloads",
    kinds: ["stateful-set", "deployment", "daemon-set"],
    empty: "No workload was seen yet. They appear within a second of their making, once the cluster is reached.",
  },
  nodes: { title: "Nodes", kinds: ["node"], empty: "No node was seen yet." },
  services: {
    title: "Other Services",
    kinds: ["service"],
    empty: "Nobody else makes Services here that are reached from outside.",
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

/** newExposureHref leads to the form for an exposure, filled in with a workload. */
export function newExposureHref(
  clusterId: string,
  { kind, namespace, name }: Pick<InventoryItem, "kind" | "namespace" | "name">,
): string {
  return `/exposures/new?${new URLSearchParams({ cluster: clusterId, kind, namespace, name })}`;
}
