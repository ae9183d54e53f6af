import type { AdaptiveDetail } from "@fairlead/domain/exposure";

export type WhatIfNode = { nodeId: string; nodeName: string };

/** What is entered, as text. Empty is as measured. */
export type Draft = { roundTrip: string; instances: Record<string, string>; slowed: Record<string, string> };
export const emptyDraft: Draft = { roundTrip: "", instances: {}, slowed: {} };

/** nodesOf lists the nodes that a prediction may have: those with an agent, and those that connections go to. */
export function nodesOf({ nodes, routes }: Pick<AdaptiveDetail, "nodes" | "routes">): WhatIfNode[] {
  const names = new Map(routes.map((each) => [each.toNodeId, each.toNodeName]));
  for (const { nodeId, nodeName, replicaId } of nodes) if (replicaId !== null) names.set(nodeId, nodeName);
  return [...names]
    .map(([nodeId, nodeName]) => ({ nodeId, nodeName }))
    .sort((a, b) => a.nodeName.localeCompare(b.nodeName, "en", { numeric: true }));
}

/** toChange returns what the API takes. Text that is no number becomes NaN, which the schema rejects. */
export function toChange({ roundTrip, instances, slowed }: Draft) {
  return {
    instances: filled(instances).map(([nodeId, text]) => ({ nodeId, count: Number(text) })),
    slowed: filled(slowed).map(([nodeId, text]) => ({ nodeId, times: Number(text) })),
    ...(roundTrip.trim() === "" ? {} : { roundTripMs: Number(roundTrip) }),
  };
}

export function isEmpty({ roundTrip, instances, slowed }: Draft): boolean {
  return roundTrip.trim() === "" && filled(instances).length + filled(slowed).length === 0;
}

const nodeFields = ["instances", "slowed"] as const;
type NodeField = (typeof nodeFields)[number];
const nameOf = { instances: "count", slowed: "times" } as const;

/** pathOf is where errors of a node's value are: errors count only what is filled. null if it is empty. */
export function pathOf(draft: Draft, field: NodeField, nodeId: string): string | null {
  const place = filled(draft[field]).findIndex(([id]) => id === nodeId);
  return place < 0 ? null : pathAt(field, place);
}

/** shownPaths lists the paths whose errors are under a field. Others, such as an unknown node, are shown above the button. */
export function shownPaths(draft: Draft): string[] {
  const ofNodes = nodeFields.flatMap((field) => filled(draft[field]).map((_, place) => pathAt(field, place)));
  return ["roundTripMs", ...ofNodes];
}

function pathAt(field: NodeField, place: number): string {
  return `${field}.${place}.${nameOf[field]}`;
}

function filled(values: Record<string, string>): [nodeId: string, text: string][] {
  return Object.entries(values)
    .filter(([, text]) => text.trim() !== "")
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
