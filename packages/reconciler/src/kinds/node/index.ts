import { createHash } from "node:crypto";
import { inTransaction, type Tx } from "@fairlead/db";
import { canonicalJson, compileNodeConfig, type FeedEntry, nodeSettings } from "@fairlead/domain";
import { appendFeed, notifyAgents } from "@fairlead/services";
import { holdLease } from "../../lease.sql.ts";
import { done, gone } from "../../outcome.ts";
import type { Reconciler } from "../../reconciler.ts";
import { lockNode, storeNodeConfig } from "./config.sql.ts";

/** nodeReconciler compiles what each agent of a node should do. PostgreSQL is the wire: agents watch the stored config. */
export const nodeReconciler: Reconciler = {
  kind: "node",
  resyncEveryMs: 5 * 60_000,
  async reconcile(nodeId, ctx) {
    const found = await inTransaction(ctx.db, async (tx) => {
      // Everything read and written under the node's lock, so that no older compilation overtakes a newer one.
      const node = await lockNode(tx, nodeId);
      await holdLease(tx, ctx.task);
      if (!node) return false;
      const changed = await compileAgents(tx, nodeId, nodeSettings.parse(node.settings), ctx.now());
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

/** compileAgents stores the config of every agent that may still act, and answers whose is new. */
async function compileAgents(
  tx: Tx,
  nodeId: string,
  settings: Parameters<typeof compileNodeConfig>[0]["settings"],
  now: Date,
): Promise<string[]> {
  const agents = await tx.agent.findMany({
    where: { nodeId, revokedAt: null },
    select: { id: true, roles: true },
    orderBy: { id: "asc" },
  });
  const changed: string[] = [];
  for (const agent of agents) {
    const config = canonicalJson(compileNodeConfig({ settings, agent }));
    const digest = createHash("sha256").update(config).digest("hex");
    if (await storeNodeConfig(tx, { agentId: agent.id, nodeId, digest, config, now })) changed.push(agent.id);
  }
  return changed;
}
