import { inTransaction, type Tx } from "@fairlead/db";
import { planClientPrefixes } from "@fairlead/domain/load-balancer";
import { markManyDirty } from "@fairlead/services";
import { holdLease } from "../../lease.sql.ts";
import { againAfterMs, done, gone, type Outcome } from "../../outcome.ts";
import type { Reconciler } from "../../reconciler.ts";
import { type AdaptiveAgent, selectAdaptiveAgents } from "../adaptive-state.sql.ts";
import { deleteClientPrefixes, findPlannedAt, selectClientAddresses, storeClientPrefixes } from "./plan.sql.ts";

/** In a large cluster, instances change all the time, and each pass reads all of them. */
const leastBetweenMs = 1_000;

/**
 * clientPrefixesReconciler plans from which prefixes the clients of each node of a cluster connect, once for all nodes, and
 * marks the nodes with agents of the role adaptive when that changes. A cluster without such agents has no plan.
 */
export const clientPrefixesReconciler: Reconciler = {
  kind: "client-prefixes",
  resyncEveryMs: 5 * 60_000,
  async reconcile(clusterId, ctx) {
    const restMs = await restOf(ctx.db, clusterId, ctx.now());
    if (restMs > 0) return againAfterMs(restMs);
    const agents = await selectAdaptiveAgents(ctx.db, clusterId);
    const prefixes = planClientPrefixes(withOwn(await selectClientAddresses(ctx.db, clusterId), agents));
    await ctx.passed("planned");
    const outcome = await inTransaction(ctx.db, async (tx) => {
      // A change of instances waits for this lock. What changed since they were read has marked the task again.
      await holdLease(tx, ctx.task);
      const stored = await store(tx, clusterId, { agents, prefixes, now: ctx.now() });
      await ctx.passed("storing");
      return stored;
    });
    await ctx.passed("stored");
    return outcome;
  },
};

/** restOf returns how long the last plan is still new. */
async function restOf(tx: Tx, clusterId: string, now: Date): Promise<number> {
  const plannedAt = await findPlannedAt(tx, clusterId);
  const ageMs = plannedAt ? now.getTime() - plannedAt.getTime() : leastBetweenMs;
  // The clock may have been set back.
  return ageMs < 0 ? 0 : leastBetweenMs - ageMs;
}

type Plan = { agents: readonly AdaptiveAgent[]; prefixes: ReadonlyMap<string, readonly string[]>; now: Date };

async function store(tx: Tx, clusterId: string, { agents, prefixes, now }: Plan): Promise<Outcome> {
  if (agents.length === 0) {
    await deleteClientPrefixes(tx, clusterId);
    return gone;
  }
  if (await storeClientPrefixes(tx, clusterId, prefixes, now))
    await markManyDirty(
      tx,
      "node",
      agents.map((each) => each.nodeId),
      { patient: true },
    );
  return done;
}

/** withOwn adds the address of each node itself, from which its processes connect. */
function withOwn(
  addresses: ReadonlyMap<string, readonly string[]>,
  agents: readonly AdaptiveAgent[],
): Map<string, string[]> {
  const all = new Map([...addresses].map(([nodeId, own]) => [nodeId, [...own]]));
  for (const { nodeId, meshAddress } of agents) {
    const host = meshAddress.replace(/:\d+$/, "").replace(/^\[|\]$/g, "");
    if (host !== "") all.set(nodeId, [...(all.get(nodeId) ?? []), host]);
  }
  return all;
}
