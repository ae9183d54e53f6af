import type { WhatIfPrediction } from "@fairlead/domain/exposure";
import { formatQuantity } from "@/components/charts/data/quantity.ts";

/** One figure of both predictions, as text. */
export type ComparedRow = { label: string; now: string; changed: string };

/** comparePredictions lists the figures of two predictions side by side: latency, where requests go, and the load of each node. */
export function comparePredictions(now: WhatIfPrediction, changed: WhatIfPrediction): ComparedRow[] {
  const row = (label: string, of: (prediction: WhatIfPrediction) => string) => ({
    ...{ label, now: of(now), changed: of(changed) },
  });
  return [
    row("Latency, mean", (each) => formatQuantity(each.latencyMsMean, "ms")),
    row("Latency, median", (each) => formatQuantity(each.latencyMsP50, "ms")),
    row("Latency, p99", (each) => formatQuantity(each.latencyMsP99, "ms")),
    row("Answered on the client's node", (each) => formatQuantity(each.localShare, "ratio")),
    row("Load of all nodes", (each) => formatQuantity(each.load, "ratio")),
    ...now.nodes.map(({ nodeId, nodeName }) => row(`Load of ${nodeName}`, (each) => loadOf(each, nodeId))),
  ];
}

function loadOf({ nodes }: WhatIfPrediction, nodeId: string): string {
  const node = nodes.find((each) => each.nodeId === nodeId);
  if (node?.instances === 0) return "no instance";
  return formatQuantity(node?.busyRatio, "ratio");
}

/** describeOverload states for which prediction requests would wait ever longer; null for none. */
export function describeOverload(now: WhatIfPrediction, changed: WhatIfPrediction): string | null {
  const which = now.load >= 1 ? (changed.load >= 1 ? "Now and with the change" : "Now") : "With the change";
  if (now.load < 1 && changed.load < 1) return null;
  return `${which}, more requests enter than the nodes with instances can serve, so latency would grow without limit. Add cores or instances on other nodes.`;
}
