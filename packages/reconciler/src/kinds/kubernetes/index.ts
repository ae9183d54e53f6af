import type { KubernetesAccess } from "@fairlead/domain/kubernetes";
import type { KubernetesApi } from "@fairlead/drivers/kubernetes";
import type { KubernetesBox } from "@fairlead/services";
import { againAfterMs, gone } from "../../outcome.ts";
import type { Reconciler } from "../../reconciler.ts";
import { selectAccess } from "./load.sql.ts";
import { look, type Opened } from "./look.ts";
import { recordFound } from "./record.ts";

export type KubernetesOptions = { box: Pick<KubernetesBox, "open">; random?: () => number };

/** How often a healthy API is checked. */
const askedEveryMs = 30_000;
/** How often its permissions are checked while all are granted. */
const permissionsEveryMs = 5 * 60_000;
const firstAgainMs = 2_000;
const lastAgainMs = 60_000;
const mostConnections = 256;

/**
 * kubernetesReconciler checks each attached cluster: whether its API is reachable and grants what we need. The sealed
 * access is opened here, on its way to the driver.
 */
export function kubernetesReconciler(
  connect: (access: KubernetesAccess) => KubernetesApi,
  { box, random = Math.random }: KubernetesOptions,
): Reconciler {
  const kept = new Map<string, { sealed: string; opened: Opened }>();

  /** One connection for as long as the access stays the same. */
  function openedOf(clusterId: string, sealed: string): Opened {
    const before = kept.get(clusterId);
    if (before?.sealed === sealed) return before.opened;
    forget(clusterId);
    const access = box.open(sealed);
    const opened = { access, api: connect(access) };
    kept.set(clusterId, { sealed, opened });
    const [oldest] = kept.keys();
    if (kept.size > mostConnections && oldest !== undefined) forget(oldest);
    return opened;
  }

  function forget(clusterId: string): void {
    const before = kept.get(clusterId);
    kept.delete(clusterId);
    void before?.opened.api.close().catch(() => undefined);
  }

  return {
    kind: "kubernetes",
    resyncEveryMs: askedEveryMs,
    async reconcile(clusterId, ctx) {
      const access = await selectAccess(ctx.db, clusterId);
      if (!access) {
        forget(clusterId);
        return gone;
      }
      const checkedMs = access.checkedAt ? ctx.now().getTime() - access.checkedAt.getTime() : permissionsEveryMs;
      const isPermissionDue = access.phase !== "connected" || checkedMs >= permissionsEveryMs;
      const open = () => openedOf(clusterId, access.sealed);
      const found = await look(open, { isPermissionDue }, ctx.signal);
      await ctx.passed("looked");
      const since = await recordFound(clusterId, access, found, ctx);
      await ctx.passed("recorded");
      if (since === null) return againAfterMs(0);
      if (found.phase === "connected" || found.phase === "degraded") return againAfterMs(spread(askedEveryMs));
      // The longer it is unreachable, the less often it is called; random, so that those that failed together spread
      // out.
      const awayMs = ctx.now().getTime() - since.getTime();
      return againAfterMs(spread(Math.min(lastAgainMs, Math.max(firstAgainMs, awayMs / 2))));
    },
  };

  function spread(ms: number): number {
    return Math.round(ms * (0.8 + 0.4 * random()));
  }
}
