import type { Tx } from "@fairlead/db";
import { describeSession, type Exposure, type SessionDetail } from "@fairlead/domain/exposure";
import { findSessionKey, selectSessionBackends, selectSessionReplicas } from "./session.sql.ts";
import { loadTicketRotation } from "./ticket-rotation-detail.ts";

/** loadSession returns how an exposure places connections by TLS session; null for another strategy. */
export async function loadSession(
  tx: Tx,
  { id, strategy, clusterId }: Exposure,
  loadBalancerIds: readonly string[],
): Promise<SessionDetail | null> {
  if (strategy.type !== "session") return null;
  const { detail: ticketRotation, keys, lags } = await loadTicketRotation(tx, id, strategy);
  const [key, replicas, backends] = await Promise.all([
    findSessionKey(tx, clusterId),
    selectSessionReplicas(tx, loadBalancerIds, lags),
    selectSessionBackends(tx, loadBalancerIds, keys),
  ]);
  return { message: describeSession({ key, replicas, backends }), key, ticketRotation, replicas, backends };
}
