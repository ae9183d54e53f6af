import type { ExposureDetail, SessionBackend, SessionReplica } from "@fairlead/domain/exposure";
import type { Backend, Replica } from "@fairlead/domain/load-balancer";

export type PlacingReplica = SessionReplica & Pick<Replica, "nodeId" | "nodeName" | "reportIntervalMs">;
export type TakingBackend = SessionBackend & Pick<Backend, "instance" | "port">;

const withoutAgent = "No agent of the role balancer has a free place for it.";

/** joinReplicas names the node of each replica. Those that place each connection on its own are first. */
export function joinReplicas({ session, replicas }: Pick<ExposureDetail, "session" | "replicas">): PlacingReplica[] {
  const known = new Map(replicas.map((each) => [each.id, each]));
  return (session?.replicas ?? [])
    .map((each) => {
      const { agentId, nodeId = null, nodeName = null, reportIntervalMs = null } = known.get(each.replicaId) ?? {};
      const problem = agentId === null ? withoutAgent : each.problem;
      return { ...each, problem, nodeId, nodeName, reportIntervalMs };
    })
    .sort((a, b) => Number(a.bySession) - Number(b.bySession));
}

/** joinBackends names the instance of each backend. Those that accept no connections are first, then those with outdated keys. */
export function joinBackends({ session, backends }: Pick<ExposureDetail, "session" | "backends">): TakingBackend[] {
  const known = new Map(backends.map((each) => [each.id, each]));
  return (session?.backends ?? [])
    .flatMap((each) => {
      const backend = known.get(each.backendId);
      return backend ? [{ ...each, instance: backend.instance || (backend.address ?? ""), port: backend.port }] : [];
    })
    .sort((a, b) => rankOf(a) - rankOf(b) || a.instance.localeCompare(b.instance, "en", { numeric: true }));
}

function rankOf({ takesConnections, ticketKey }: Pick<SessionBackend, "takesConnections" | "ticketKey">): number {
  if (!takesConnections) return 0;
  return ticketKey?.outdatedSince ? 1 : 2;
}

/** nodesWithoutAgent returns the nodes of instances that have no agent of the role backend, each once. */
export function nodesWithoutAgent(backends: readonly Pick<SessionBackend, "nodeName" | "agentId">[]): string[] {
  return [
    ...new Set(backends.flatMap((each) => (each.agentId === null && each.nodeName ? [each.nodeName] : []))),
  ].sort();
}
