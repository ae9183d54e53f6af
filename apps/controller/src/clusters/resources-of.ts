import type { MeasuredResources, NodeResources } from "@fairlead/domain/exposure";
import type { Node, Pod, Reading, ResourceMetrics } from "@fairlead/drivers/kubernetes";

/** resourcesOf returns what metrics-server measured of each node, and of an exposure's ready pods there. */
export function resourcesOf(metrics: ResourceMetrics, pods: readonly Pod[], nodes: Iterable<Node>): NodeResources[] {
  const ready = Map.groupBy(
    pods.filter((pod) => pod.ready && !pod.terminating),
    (pod) => pod.nodeName,
  );
  return [...nodes].map((node) => {
    const here = ready.get(node.name) ?? [];
    const reading = metrics.nodes.get(node.name);
    return {
      nodeName: node.name,
      node: reading ? { ...reading, ...capacityOf(node.allocatable) } : null,
      instanceCount: here.length,
      instances: addUp(here, metrics, node),
    };
  });
}

/** addUp adds up the pods with figures. Their capacity is their limits, or the node's if one has no limit. */
function addUp(pods: readonly Pod[], metrics: ResourceMetrics, node: Node): MeasuredResources | null {
  const seen = pods.flatMap(({ namespace, name, limits }) => {
    const reading = metrics.pods.get(`${namespace}/${name}`);
    return reading ? [{ reading, limits }] : [];
  });
  if (seen.length === 0) return null;
  const sum = (of: (reading: Reading) => number) => seen.reduce((all, { reading }) => all + of(reading), 0);
  const limit = (of: (limits: Pod["limits"]) => number | null, most: number | null) => {
    const all = seen.map(({ limits }) => of(limits));
    const limited = all.reduce<number | null>((a, b) => (a === null || b === null ? null : a + b), 0);
    // Together, pods can't use more than their node has.
    return limited === null ? most : Math.min(limited, most ?? limited);
  };
  return {
    cpuCores: sum((each) => each.cpuCores),
    cpuCapacityCores: limit((each) => each.cpuCores, node.allocatable.cpuCores),
    memoryBytes: sum((each) => each.memoryBytes),
    memoryCapacityBytes: limit((each) => each.memoryBytes, node.allocatable.memoryBytes),
    measuredAt: new Date(Math.min(...seen.map(({ reading }) => reading.measuredAt.getTime()))),
    windowMs: Math.max(...seen.map(({ reading }) => reading.windowMs)),
  };
}

function capacityOf({ cpuCores, memoryBytes }: Node["allocatable"]) {
  return { cpuCapacityCores: cpuCores, memoryCapacityBytes: memoryBytes };
}
