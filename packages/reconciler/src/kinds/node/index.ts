import { createHash } from "node:crypto";
import { inTransaction, type Tx } from "@fairlead/db";
import { canonicalJson } from "@fairlead/domain";
import type { FeedEntry } from "@fairlead/domain/event";
import { type BalancerSnapshot, forProtocol } from "@fairlead/domain/load-balancer";
import { bgpRoles, compileNodeConfig, nodeSettings } from "@fairlead/domain/node";
import { appendFeed, notifyAgents } from "@fairlead/services";
import { selectEchoPeers } from "@fairlead/services/gateway";
import { holdLease } from "../../lease.sql.ts";
import { done, gone } from "../../outcome.ts";
import type { Reconciler } from "../../reconciler.ts";
import { selectFlowAddresses } from "../other-clusters.sql.ts";
import { selectPlacedBalancers } from "../placed-balancers.sql.ts";
import { type LockedNode, lockNode, storeNodeConfig } from "./config.sql.ts";
import { loadKept } from "./kept-configs.ts";
import { selectLetGo } from "./let-go.sql.ts";
import { loadAdaptive } from "./load-adaptive.ts";
import { loadBackend, loadSessionState, withKept } from "./load-backend.ts";
import { loadRouting } from "./load-routing.ts";
import { pairSpeakers } from "./pair-speakers.sql.ts";
import { selectPausedBalancers } from "./paused-balancers.sql.ts";

/**
 * nodeReconciler compiles what each agent of a node should do. PostgreSQL is the channel: agents watch the stored
 * config. What a config has of a paused exposure stays as it is.
 */
export const nodeReconciler: Reconciler = {
  kind: "node",
  resyncEveryMs: 5 * 60_000,
  async reconcile(nodeId, ctx) {
    const found = await inTransaction(ctx.db, async (tx) => {
      // Everything is read and written under the node's lock, so that an older compilation can't overtake a newer one.
      const node = await lockNode(tx, nodeId);
      await holdLease(tx, ctx.task);
      if (!node) return false;
      const changed = await compileAgents(tx, { ...node, id: nodeId }, ctx.now());
      await ctx.passed("storing");
      const { clusterId } = node;
      const entries: FeedEntry[] = changed.map((subjectId) => ({ subjectKind: "agent", subjectId, clusterId }));
      if (changed.length > 0) entries.push({ subjectKind: "node", subjectId: nodeId, clusterId });
      await appendFeed(tx, node.organizationId, entries);
      await notifyAgents(tx, changed);
      return true;
    });
    await ctx.passed("stored");
    return found ? done : gone;
  },
};

/** compileAgents stores the config of every agent that is not revoked, and returns those whose config is new. */
async function compileAgents(tx: Tx, node: LockedNode & { id: string }, now: Date): Promise<string[]> {
  const nodeId = node.id;
  const settings = nodeSettings.parse(node.settings);
  const agents = await tx.agent.findMany({
    where: { nodeId, revokedAt: null },
    select: { id: true, roles: true, protocolVersion: true },
    orderBy: { id: "asc" },
  });
  const agentIds = agents.map((each) => each.id);
  // Read once: an exposure that is paused or resumed meanwhile must be in a config either as kept or as compiled.
  const pausedIds = await selectPausedBalancers(tx, agentIds);
  const kept = await loadKept(tx, agentIds, pausedIds);
  const balancers = await loadSnapshots(
    tx,
    agents.filter((each) => each.roles.includes("balancer")),
    pausedIds,
  );
  const hasSpeaker = agents.some(({ roles }) => roles.some((role) => bgpRoles.includes(role)));
  const routing = hasSpeaker ? await loadRouting(tx, node) : null;
  const beside = routing ? await pairSpeakers(tx, agents) : new Map<string, string>();
  const backend = await loadBackend(tx, node, agents);
  const session = await loadSessionState(tx, node.clusterId, pausedIds);
  const adaptive = await loadAdaptive(tx, node, agents, pausedIds);
  const isDraining = node.drainingSince !== null;
  const letGo = new Set(routing ? await selectLetGo(tx, node.clusterId) : []);
  const measures = agents.some((each) => each.roles.includes("node"));
  const peers = measures ? await selectEchoPeers(tx, { nodeId, clusterId: node.clusterId }) : [];
  const changed: string[] = [];
  for (const agent of agents) {
    const balancer = balancers.get(agent.id);
    const carried = balancers.get(beside.get(agent.id) ?? "")?.loadBalancers ?? [];
    const keeps = kept.get(agent.id);
    const distributed = adaptive.get(agent.id);
    const leaving = isDraining || letGo.has(agent.id);
    const parts = {
      echo: { agentId: agent.id, peers },
      ...(balancer ? { balancer: { ...balancer, kept: keeps?.balancer, session } } : {}),
      ...(backend ? { backend: withKept(backend, { pausedIds, kept: keeps?.backend, session }) } : {}),
      ...(distributed ? { adaptive: { ...distributed, kept: keeps?.adaptive } } : {}),
      ...(routing ? { routing: { ...routing, loadBalancers: carried, kept: keeps?.speaker, leaving } } : {}),
    };
    const config = canonicalJson(compileNodeConfig({ settings, agent, ...parts }));
    const digest = createHash("sha256").update(config).digest("hex");
    const compiled = [...(balancer?.loadBalancers ?? carried), ...(distributed?.loadBalancers ?? [])];
    const compiledIds = compiled.map((each) => each.id);
    const servedIds = agent.roles.includes("backend")
      ? (backend?.servers ?? []).map((each) => each.loadBalancerId)
      : [];
    const loadBalancerIds = [...new Set([...compiledIds, ...servedIds, ...(keeps?.loadBalancerIds ?? [])])];
    const stored = { agentId: agent.id, nodeId, digest, config, loadBalancerIds, now };
    if (await storeNodeConfig(tx, stored)) changed.push(agent.id);
  }
  return changed;
}

/**
 * loadSnapshots returns what is placed on each of these agents without what is paused, and which other agents carry any
 * of it too.
 */
async function loadSnapshots(
  tx: Tx,
  agents: readonly { id: string; protocolVersion: number }[],
  pausedIds: ReadonlySet<string>,
): Promise<Map<string, BalancerSnapshot>> {
  if (agents.length === 0) return new Map();
  const placed = await selectPlacedBalancers(tx, { agentIds: agents.map((each) => each.id) });
  const flows = await selectFlowAddresses(tx, [...new Set(placed.flatMap((each) => each.sharingIds))]);
  return new Map(
    agents.map(({ id: agentId, protocolVersion }) => {
      const own = placed.filter((each) => each.agentIds.includes(agentId));
      const peerIds = new Set(own.flatMap((each) => each.sharingIds));
      peerIds.delete(agentId);
      const compiled = own.map((each) => each.balancer).filter((each) => !pausedIds.has(each.id));
      const loadBalancers = compiled.map((each) => forProtocol(each, protocolVersion));
      const carriers = new Map(own.map(({ balancer, sharingIds }) => [balancer.id, sharingIds]));
      return [agentId, { loadBalancers, carriers, peers: flows.filter((each) => peerIds.has(each.agentId)) }];
    }),
  );
}
