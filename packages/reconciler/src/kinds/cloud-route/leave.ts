import { inTransaction } from "@fairlead/db";
import { type CloudRoute, type LeftBehind, leftBehind } from "@fairlead/domain/cloud";
import { CloudRefused, type CloudRouteDriver } from "@fairlead/drivers";
import { recordDampedEvent } from "@fairlead/services";
import { driving } from "../../driving.ts";
import { holdLease } from "../../lease.sql.ts";
import type { ReconcileContext } from "../../reconciler.ts";
import type { Decision } from "./decide.ts";

/** How many attempts an unreachable former place gets before the new one goes first: about a quarter of a minute. */
const mostTries = 6;

/** WithDriver runs work with the driver for settings and a sealed key. */
export type WithDriver = <Result>(
  clusterId: string,
  settings: CloudRoute,
  sealed: string,
  work: (driver: CloudRouteDriver) => Promise<Result>,
) => Promise<Result>;

/**
 * leave removes what earlier settings placed and the new ones don't manage, with the key that placed it: a new key is
 * never sent to a server that it wasn't given for. What can't be removed does not block the new settings; an event
 * reports it and where it is. Without new settings the removal is retried until it succeeds.
 */
export async function leave(
  clusterId: string,
  decided: Decision,
  withDriver: WithDriver,
  ctx: ReconcileContext,
): Promise<void> {
  const left = await findLeft(clusterId, decided, withDriver, ctx);
  if (!left) return;
  const { route, settings, addresses } = decided;
  const leaving = addresses.filter(({ address }) => left.addresses?.includes(address) ?? true);
  const spec = { clusterId, isPart: left.isPart, addresses: leaving.map(({ address }) => ({ address, to: null })) };
  let why = "";
  for (const sealed of keysFor(left.settings, decided)) {
    try {
      const { changes, problems } = await withDriver(clusterId, left.settings, sealed, (driver) =>
        driver.set(spec, ctx.signal),
      );
      // A key of another account finds nothing there, so that is no proof that nothing is left.
      const sawNothing = changes.length === 0 && leaving.some((each) => each.interfaceId !== "");
      if (problems.length === 0 && !(sawNothing && sealed !== route.appliedCredentials)) {
        await ctx.passed("left");
        return;
      }
      why ||= problems[0]?.message ?? "the new access key finds nothing there";
    } catch (error) {
      const isRefusal = error instanceof CloudRefused;
      const isGivenUp = settings !== null && ctx.task.attempts >= mostTries;
      if (ctx.signal.aborted || !(isRefusal || isGivenUp)) await driving(() => Promise.reject(error));
      // The error of the key that placed it takes precedence.
      why ||= error instanceof Error ? error.message : String(error);
    }
  }
  if (settings === null) await driving(() => Promise.reject(new CloudRefused(why)));
  await recordLeft(clusterId, decided, { left, leaving: leaving.map((each) => each.address), why }, ctx);
}

/** findLeft also finds what only a new key leaves behind: a key of another account doesn't see what is placed. */
async function findLeft(
  clusterId: string,
  { applied, settings, route, addresses }: Decision,
  withDriver: WithDriver,
  ctx: ReconcileContext,
): Promise<LeftBehind | null> {
  if (!applied) return null;
  const left = leftBehind(applied, settings);
  const placed = addresses.filter((each) => each.interfaceId !== "");
  if (left || !settings || route.credentials === route.appliedCredentials || placed.length === 0) return left;
  const seen = await driving(() =>
    withDriver(clusterId, settings, route.credentials, (driver) =>
      driver.observe({ clusterId, addresses: placed }, ctx.signal),
    ),
  );
  const isElsewhere = placed.every((row) =>
    seen.every((each) => each.address !== row.address || each.interfaceId !== row.interfaceId),
  );
  return isElsewhere ? leftBehind(applied, null) : null;
}

/** keysFor returns the key that placed what is there, and the newest one where that was given for the same server. */
function keysFor({ endpoint }: CloudRoute, { route, newest }: Decision): string[] {
  const isSameServer = newest.endpoint === endpoint;
  return [...new Set([route.appliedCredentials, ...(isSameServer ? [route.credentials] : [])])];
}

type Remains = { left: LeftBehind; leaving: string[]; why: string };

async function recordLeft(
  clusterId: string,
  { route }: Decision,
  { left, leaving, why }: Remains,
  ctx: ReconcileContext,
): Promise<void> {
  if (leaving.length === 0) return;
  const named = leaving.slice(0, mostNamed).join(", ");
  const more = leaving.length > mostNamed ? ` and ${leaving.length - mostNamed} more` : "";
  await inTransaction(ctx.db, async (tx) => {
    await holdLease(tx, ctx.task);
    await recordDampedEvent(tx, route.organizationId, {
      at: ctx.now(),
      reason: "CloudLeftBehind",
      message: `${named}${more} may still lead to earlier replicas ${placeOf(left.settings)}, and the tag fairlead:${clusterId} may be there; remove them by hand: ${why}.`,
      subjectKind: "cluster",
      subjectId: clusterId,
      subjectName: route.clusterName,
      clusterId,
    });
  });
  await ctx.passed("recorded what is left");
}

const mostNamed = 10;

function placeOf(settings: CloudRoute): string {
  const { region, endpoint, vpcId } = settings;
  const server = endpoint === null ? `AWS, ${region}` : `${region} at ${endpoint}`;
  const vpc = vpcId ? `, ${vpcId}` : "";
  switch (settings.method) {
    case "route":
      return `in ${server}${vpc}, in the route tables ${settings.routeTables.join(", ")}`;
    case "secondary-address":
      return `in ${server}${vpc}, as secondary addresses`;
    case "elastic-address":
      return `in ${server}${vpc}, by the Elastic IPs ${settings.elasticAddresses.map((each) => each.allocationId).join(", ")}`;
    default:
      return settings satisfies never;
  }
}
