import { invalid } from "../../errors.ts";
import type { SimulatedService } from "./simulated-service.ts";
import type { WhatIfChange } from "./what-if.ts";

/** applyChange returns the service after a change. It throws an error that names the wrong field. */
export function applyChange(service: SimulatedService, change: WhatIfChange): SimulatedService {
  const placeOf = new Map(service.nodes.map((each, place) => [each.nodeId, place]));
  const find = (nodeId: string, path: (string | number)[]): number => {
    const place = placeOf.get(nodeId);
    if (place !== undefined) return place;
    throw invalid(path, `The exposure has no node ${nodeId} with figures. ${describeKnown(service)}`);
  };
  rejectSecond("instances", change.instances);
  rejectSecond("slowed", change.slowed);
  const nodes = service.nodes.map((each) => ({ ...each }));
  const at = (nodeId: string, path: (string | number)[]) => nodes[find(nodeId, path)];
  for (const [place, { nodeId, count }] of change.instances.entries()) {
    const node = at(nodeId, ["instances", place, "nodeId"]);
    if (node) node.instances = count;
  }
  if (nodes.every((each) => each.instances === 0))
    throw invalid(["instances"], "No node would have an instance. Keep at least one.");
  for (const [place, { nodeId, times }] of change.slowed.entries()) {
    const node = at(nodeId, ["slowed", place, "nodeId"]);
    if (node) node.serviceMs *= times;
  }
  const roundTripMs = service.roundTripMs.map((row, from) =>
    row.map((ms, to) => (from === to ? ms : (change.roundTripMs ?? ms))),
  );
  for (const [place, { fromNodeId, toNodeId, roundTripMs: ms }] of change.roundTrips.entries()) {
    const from = find(fromNodeId, ["roundTrips", place, "fromNodeId"]);
    const to = find(toNodeId, ["roundTrips", place, "toNodeId"]);
    if (from === to)
      throw invalid(["roundTrips", place, "toNodeId"], "Both nodes are the same one. Name two different nodes.");
    for (const [a, b] of [
      [from, to],
      [to, from],
    ] as const)
      roundTripMs[a]?.splice(b, 1, ms);
  }
  return { ...service, nodes, roundTripMs };
}

function rejectSecond(field: "instances" | "slowed", named: readonly { nodeId: string }[]): void {
  const ids = named.map((each) => each.nodeId);
  const second = ids.findIndex((id, place) => ids.indexOf(id) < place);
  if (second >= 0) throw invalid([field, second, "nodeId"], "This node is named twice. Name each node once.");
}

const mostNamed = 5;

function describeKnown({ nodes }: SimulatedService): string {
  const named = nodes.slice(0, mostNamed).map((each) => `${each.nodeId} (${each.nodeName})`);
  const more = nodes.length > mostNamed ? ` and ${nodes.length - mostNamed} more` : "";
  return `Use one of ${named.join(", ")}${more}.`;
}
