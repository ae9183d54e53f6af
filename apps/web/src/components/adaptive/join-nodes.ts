import type { AdaptiveNode, ExposureDetail } from "@fairlead/domain/exposure";
import type { Replica } from "@fairlead/domain/load-balancer";
import type { StatusLook } from "@/components/ui/status/status.ts";

export type ReportedNode = AdaptiveNode & Pick<Replica, "reportIntervalMs">;

/** joinNodes adds how often each node reports. Those with a problem are first. */
export function joinNodes({ adaptive, replicas }: Pick<ExposureDetail, "adaptive" | "replicas">): ReportedNode[] {
  const intervals = new Map(replicas.map((each) => [each.id, each.reportIntervalMs]));
  return (adaptive?.nodes ?? [])
    .map((each) => ({ ...each, reportIntervalMs: intervals.get(each.replicaId ?? "") ?? null }))
    .sort(
      (a, b) =>
        Number(a.problem === "") - Number(b.problem === "") ||
        a.nodeName.localeCompare(b.nodeName, "en", { numeric: true }),
    );
}

const distributing: StatusLook = { word: "Distributing", shape: "disc", tone: "good" };
const limited: StatusLook = { word: "Limited", shape: "triangle", tone: "warn" };
const absent: StatusLook = { word: "Not carried", shape: "ring", tone: "silent" };

/** lookOfNode is whether connections that start on a node are distributed. Its problem states why not, or what is limited. */
export function lookOfNode({ problem, replicaId }: Pick<AdaptiveNode, "problem" | "replicaId">): StatusLook {
  if (replicaId === null) return absent;
  return problem === "" ? distributing : limited;
}

/** describePeers states with how many of its peers a node exchanges figures, and with which it doesn't. */
export function describePeers(
  { peers }: Pick<AdaptiveNode, "peers">,
  nameOf: (nodeId: string) => string,
): { count: string; missing: string[] } {
  const missing = peers.filter((each) => !each.isExchanging).map((each) => nameOf(each.nodeId));
  return { count: `${peers.length - missing.length} of ${peers.length}`, missing: missing.sort() };
}
