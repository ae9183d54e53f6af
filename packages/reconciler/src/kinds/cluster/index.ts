import { markCloudRoute, markManyDirty, markRouting, type SecretBox } from "@fairlead/services";
import { gone } from "../../outcome.ts";
import type { ReconcileContext, Reconciler } from "../../reconciler.ts";
import { selectSpanned } from "../node/spanned.sql.ts";
import { rotateSessionKeys } from "./rotate-session-keys.sql.ts";

const batch = 500;

/**
 * clusterReconciler renews the keys of a cluster and passes a mark on to everything in it. A cluster is reconciled only when
 * it is marked, because its objects come due by themselves; so its task is deleted when it is done.
 */
export function clusterReconciler(keysBox: Pick<SecretBox, "seal">): Reconciler {
  return {
    kind: "cluster",
    resyncEveryMs: 60 * 60_000,
    async reconcile(clusterId, ctx) {
      await rotateSessionKeys(ctx.db, clusterId, { task: ctx.task, box: keysBox, now: ctx.now() });
      await ctx.passed("renewed keys");
      await markAll(clusterId, ctx);
      return gone;
    },
  };
}

async function markAll(clusterId: string, { db, signal }: ReconcileContext): Promise<void> {
  for (let after = ""; ; ) {
    signal.throwIfAborted();
    const rows = await db.node.findMany({ where: { clusterId, id: { gt: after } }, ...page });
    await markManyDirty(
      db,
      "node",
      rows.map((each) => each.id),
    );
    if (rows.length < batch) break;
    after = rows.at(-1)?.id ?? after;
  }
  for (let after = ""; ; ) {
    signal.throwIfAborted();
    // Those of other clusters that span this one, too: its routing decides whether their shares apply.
    const spans = { OR: [{ clusterId }, { loadBalancers: { some: { clusterId } } }] };
    const rows = await db.exposure.findMany({ where: { ...spans, id: { gt: after } }, ...page });
    await markManyDirty(
      db,
      "exposure",
      rows.map((each) => each.id),
    );
    if (rows.length < batch) break;
    after = rows.at(-1)?.id ?? after;
  }
  // Routers in common have its speakers as peers.
  for (const each of await selectSpanned(db, clusterId)) await markRouting(db, each.id);
  await markCloudRoute(db, clusterId, {});
}

const page = { select: { id: true }, orderBy: { id: "asc" }, take: batch } as const;
