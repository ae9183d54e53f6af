import { markCloudRoute, markManyDirty } from "@fairlead/services";
import { gone } from "../outcome.ts";
import type { Reconciler } from "../reconciler.ts";

const batch = 500;

/**
 * clusterReconciler passes a mark on to everything in the cluster. A cluster is reconciled only when it is marked,
 * because its objects come due by themselves; so its task is deleted when it is done.
 */
export const clusterReconciler: Reconciler = {
  kind: "cluster",
  resyncEveryMs: 60 * 60_000,
  async reconcile(clusterId, { db, signal }) {
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
      const rows = await db.exposure.findMany({ where: { clusterId, id: { gt: after } }, ...page });
      await markManyDirty(
        db,
        "exposure",
        rows.map((each) => each.id),
      );
      if (rows.length < batch) break;
      after = rows.at(-1)?.id ?? after;
    }
    await markCloudRoute(db, clusterId, {});
    return gone;
  },
};

const page = { select: { id: true }, orderBy: { id: "asc" }, take: batch } as const;
