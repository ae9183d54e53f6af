import type { Tx } from "@fairlead/db";
import type { DesiredExposure } from "@fairlead/domain/exposure";
import { costCondition, isSessionKeyDue, sessionCondition } from "@fairlead/domain/load-balancer";
import { findSessionKey, markDirty, selectSessionBackends, selectSessionReplicas } from "@fairlead/services";
import { noteTaken } from "@fairlead/services/gateway";
import { selectOutdatedAgents } from "./outdated-agents.sql.ts";
import type { Reported } from "./read-reported.sql.ts";
import { setSessionNumbers } from "./session-numbers.sql.ts";

/** noteSession records that instances take connections. It is called before backends, and what is known of them, are dropped. */
export async function noteSession(tx: Tx, { id, strategy }: DesiredExposure, now: Date): Promise<void> {
  if (strategy.type !== "session") return;
  await tx.exposureSession.createMany({ data: { exposureId: id }, skipDuplicates: true });
  await noteTaken(tx, [id], now);
}

/**
 * setSession numbers the instances of an exposure with the strategy session, and has its cluster's key renewed when it is due.
 * With the strategy adaptive, agents sign figures by that key.
 */
export async function setSession(tx: Tx, { id, cluster, strategy }: DesiredExposure, now: Date): Promise<void> {
  if (strategy.type === "session") await setSessionNumbers(tx, id, now);
  else if (strategy.type !== "adaptive") return;
  if (isSessionKeyDue(await findSessionKey(tx, cluster.id), now)) await markDirty(tx, "cluster", cluster.id);
}

/** placingCondition is the condition of an exposure by session, or whose balancers place connections by cost; null with another one. */
export async function placingCondition(tx: Tx, desired: DesiredExposure, reported: Reported) {
  switch (desired.strategy.type) {
    case "session":
      return conditionBySession(tx, desired, reported);
    case "adaptive":
      return costCondition(reported.replicas);
    default:
      return null;
  }
}

async function conditionBySession(tx: Tx, { loadBalancers }: DesiredExposure, reported: Reported) {
  const ids = loadBalancers.filter((each) => !each.deletedAt).map((each) => each.id);
  const sessions = new Map((await selectSessionReplicas(tx, ids)).map((each) => [each.replicaId, each]));
  const states = new Map(reported.backends.map((each) => [each.id, each]));
  const backends = (await selectSessionBackends(tx, ids)).flatMap(({ backendId, takesConnections, message }) => {
    const backend = states.get(backendId);
    if (backend?.state !== "active" && backend?.state !== "filling") return [];
    return [{ instance: backend.instance, takes: takesConnections, message }];
  });
  const replicas = reported.replicas.map(({ id, nodeName, speaks }) => {
    const session = sessions.get(id);
    const isKnown = speaks && session?.observedAt;
    return { nodeName, problem: isKnown ? session.problem : null, fallback: isKnown ? session.fallback : null };
  });
  return sessionCondition({ replicas, backends, outdated: await selectOutdatedAgents(tx, ids) });
}
