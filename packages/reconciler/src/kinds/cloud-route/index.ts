import { inTransaction } from "@fairlead/db";
import type { CloudRouteDriver, CloudRouteFor } from "@fairlead/drivers";
import type { CredentialsBox } from "@fairlead/services";
import { driving } from "../../driving.ts";
import { keepDrivers } from "../../keep-drivers.ts";
import { holdLease } from "../../lease.sql.ts";
import { againAfterMs, gone, type Outcome } from "../../outcome.ts";
import type { Presence } from "../../presence.ts";
import type { ReconcileContext, Reconciler } from "../../reconciler.ts";
import { askedEveryMs, type Decision, decide } from "./decide.ts";
import { leave, type WithDriver } from "./leave.ts";
import { forgetRoute, noteApplied, recordAddresses } from "./record.ts";
import { recordCloudFailure } from "./record-failure.ts";
import { recordChecks, selectAnswering } from "./source-checks.sql.ts";

export type CloudRouteOptions = { box: Pick<CredentialsBox, "open">; presence: Pick<Presence, "lastsMs"> };

/**
 * cloudRouteReconciler routes the service addresses of one cluster to healthy replicas in a cloud. Those of paused
 * exposures are only observed. The sealed credentials are opened here, on their way to the driver.
 */
export function cloudRouteReconciler(routeFor: CloudRouteFor, { box, presence }: CloudRouteOptions): Reconciler {
  const kept = keepDrivers<CloudRouteDriver>();
  const withDriver: WithDriver = (clusterId, settings, sealed, work) =>
    kept([clusterId, settings, sealed], () => routeFor(settings, box.open(sealed)), work);

  async function make(clusterId: string, decided: Decision, ctx: ReconcileContext): Promise<Outcome> {
    const { settings, addresses, paused, route } = decided;
    if (!settings) {
      await forgetRoute(clusterId, decided, ctx);
      return gone;
    }
    if (!(await noteApplied(clusterId, settings, route.credentials, ctx))) return gone;
    const spec = addresses.map(({ address, toAddress }) => ({ address, to: toAddress || null }));
    const changing = spec.filter(({ address }) => !paused.has(address));
    const { changes, problems, seen } = await withDriver(clusterId, settings, route.credentials, async (driver) => {
      const made = await driving(() =>
        driver.set({ clusterId, addresses: changing, isPart: paused.size > 0 }, ctx.signal),
      );
      await ctx.passed("set");
      return { ...made, seen: await driving(() => driver.observe({ clusterId, addresses: spec }, ctx.signal)) };
    });
    await ctx.passed("observed");
    if (changes.length > 0) ctx.log.info("changed the cloud", { changes: changes.map((each) => each.message) });
    const isWhole = await recordAddresses(clusterId, decided, { seen, problems }, ctx);
    await ctx.passed("recorded");
    // Clients wait for the addresses, and there may be many servers.
    const servers = await selectAnswering(ctx.db, clusterId);
    const checked =
      servers.length === 0
        ? []
        : await withDriver(clusterId, settings, route.credentials, (driver) =>
            driving(() => driver.checked({ clusterId, addresses: servers }, ctx.signal)),
          );
    await recordChecks(clusterId, checked, ctx);
    return againAfterMs(isWhole ? decided.lookInMs : Math.min(decided.lookInMs, againMs));
  }

  return {
    kind: "cloud-route",
    resyncEveryMs: askedEveryMs,
    async reconcile(clusterId, ctx) {
      const decided = await inTransaction(ctx.db, async (tx) => {
        const now = ctx.now();
        const decision = await decide(tx, clusterId, now, presence.lastsMs(now));
        await holdLease(tx, ctx.task);
        return decision;
      });
      await ctx.passed("decided");
      if (!decided) return gone;
      if (decided.settings && !decided.isDue) return againAfterMs(decided.lookInMs);
      await leave(clusterId, decided, withDriver, ctx);
      return make(clusterId, decided, ctx);
    },
    recordFailure: recordCloudFailure,
  };
}

/** How soon to retry an address that was refused. */
const againMs = 10_000;
