import type { ClusterKind } from "../cluster/cluster.ts";
import { crossesClusters } from "../exposure/crosses-clusters.ts";
import { engineSpecOf } from "../exposure/delivery.ts";
import type { Strategy } from "../exposure/strategy.ts";
import { mostBackends } from "./plan-backends.ts";

/**
 * flowsSharedForMs is how long clusters share flows after the last change of shares. A router with a resilient group moves a
 * bucket once it was idle for 30 s, and peers drop flows that were silent for 15 minutes. Connections that moved and are open
 * longer than this break.
 */
export const flowsSharedForMs = 3_600_000;

/** fitsService returns whether agents accept all of these backends, which differ by port, in one load balancer. */
export function fitsService(backends: readonly { protocol: string; port: number }[]): boolean {
  const counts = new Map<string, number>();
  for (const { protocol, port } of backends) {
    const key = `${protocol} ${port}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts.values()].every((each) => each <= mostBackends);
}

/** An agent of the role balancer that can't share flows with other clusters. */
export type UnsharingAgent = { nodeName: string; isOutdated: boolean };

/**
 * explainUnshared returns why connections that move between clusters break, and what to do; empty if they stay. Whether
 * replicas reach the others' backends is measured only once shares change.
 */
export function explainUnshared(
  strategy: Strategy,
  clusters: readonly { name: string; kind: ClusterKind }[],
  unsharing: UnsharingAgent | null,
): string {
  if (strategy.type !== "ecmp") return "";
  for (const { name, kind } of clusters) {
    const { delivery: used } = engineSpecOf(strategy, [], kind);
    if (crossesClusters(used)) continue;
    const how = used ? `the delivery ${used}` : "the engine's own delivery";
    return `Open connections that move to another cluster break: ${name} uses ${how}, which can't reach backends of another cluster. Set the delivery gue or tunnel before shares change, and unwrap packets at the instances.`;
  }
  const { engine } = strategy;
  if (engine === "ipvs" || engine === "nftables" || engine === "userspace")
    return `Open connections that move to another cluster break: the engine ${engine} doesn't share each connection. Choose tcx or xdp before shares change.`;
  if (!unsharing) return "";
  const { nodeName, isOutdated } = unsharing;
  return isOutdated
    ? `Open connections that move to or from the balancer on ${nodeName} break: its agent is outdated. Update it before shares change.`
    : `Open connections that move to or from the balancer on ${nodeName} break: its agent reports no address at which other clusters reach it. Set its --flows-listen to an address that they reach.`;
}
