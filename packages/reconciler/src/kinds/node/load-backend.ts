import type { Tx } from "@fairlead/db";
import type { BackendServerConfig, BackendSnapshot, SessionState } from "@fairlead/domain/load-balancer";
import { selectServers, selectSessionAddresses, selectSessionKeys, selectTaking } from "../session-state.sql.ts";
import { ofServer, selectTicketKeys } from "../ticket-keys.sql.ts";

/** loadBackend returns the servers of a node for its agent of the role backend; null if it has none, or its cluster no key. */
export async function loadBackend(
  tx: Tx,
  { id, clusterId }: { id: string; clusterId: string },
  agents: readonly { roles: string[] }[],
): Promise<BackendSnapshot | null> {
  if (!agents.some((each) => each.roles.includes("backend"))) return null;
  const sealedKeys = (await selectSessionKeys(tx, [clusterId])).get(clusterId);
  const servers = sealedKeys ? await selectServers(tx, { nodeId: id }) : [];
  const replicas = await selectSessionAddresses(tx, [...new Set(servers.map((each) => each.loadBalancerId))]);
  const tickets = await selectTicketKeys(
    tx,
    servers.map((each) => each.exposureId),
  );
  return {
    servers: servers.flatMap(({ nodeId: _, ...server }) => {
      if (!sealedKeys) return [];
      const ticketKeys = ofServer(tickets.get(server.exposureId), server.instance);
      const own = ticketKeys ? { ticketKeys } : {};
      return [{ ...server, sealedKeys, replicas: replicas.get(server.loadBalancerId) ?? [], ...own }];
    }),
    replicas,
  };
}

/** loadSessionState returns what configs that are kept for paused balancers need of the present. */
export async function loadSessionState(
  tx: Tx,
  clusterId: string,
  pausedIds: ReadonlySet<string>,
): Promise<SessionState | undefined> {
  if (pausedIds.size === 0) return undefined;
  const keys = await selectSessionKeys(tx, [clusterId]);
  return { sealedKeys: keys.get(clusterId) ?? null, backends: await selectTaking(tx, [...pausedIds]) };
}

/** withKept replaces the servers of paused balancers by those that the agent's last config has. */
export function withKept(
  backend: BackendSnapshot,
  parts: {
    pausedIds: ReadonlySet<string>;
    kept: readonly BackendServerConfig[] | undefined;
    session: SessionState | undefined;
  },
): BackendSnapshot {
  const { pausedIds, kept, session } = parts;
  const servers = backend.servers.filter((each) => !pausedIds.has(each.loadBalancerId));
  return { ...backend, servers, kept, state: session };
}
