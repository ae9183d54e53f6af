import { inTransaction, Prisma, type Tx } from "@fairlead/db";
import type { CloudRoute } from "@fairlead/domain/cloud";
import type { EventContent } from "@fairlead/domain/event";
import type { AddressProblem, ObservedAddress } from "@fairlead/drivers";
import { appendFeed, recordDampedEvent } from "@fairlead/services";
import { holdLease } from "../../lease.sql.ts";
import type { ReconcileContext } from "../../reconciler.ts";
import type { Decision } from "./decide.ts";
import { lockCloudRoute, type StoredAddress } from "./load.sql.ts";
import { writeChecks } from "./source-checks.sql.ts";

type Findings = { seen: readonly ObservedAddress[]; problems: readonly AddressProblem[] };

/**
 * noteApplied stores which settings are applied from now on, before any is. It returns false if the cluster was deleted
 * meanwhile: then nothing would know of what is applied.
 */
export async function noteApplied(
  clusterId: string,
  settings: CloudRoute,
  credentials: string,
  ctx: ReconcileContext,
): Promise<boolean> {
  const data = { appliedSettings: settings, appliedCredentials: credentials };
  const { count } = await ctx.db.cloudRoute.updateMany({ where: { clusterId }, data });
  await ctx.passed("noted");
  return count > 0;
}

/** forgetRoute deletes a removed route once nothing of it is left, unless it was set again meanwhile. */
export async function forgetRoute(clusterId: string, { route }: Decision, ctx: ReconcileContext): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const { count } = await tx.cloudRoute.deleteMany({ where: { clusterId, deletedAt: { not: null } } });
    await holdLease(tx, ctx.task);
    const data = { appliedSettings: Prisma.DbNull, appliedCredentials: "" };
    if (count === 0) await tx.cloudRoute.updateMany({ where: { clusterId }, data });
    else {
      await tx.cloudAddress.deleteMany({ where: { clusterId } });
      await writeChecks(tx, clusterId, [], ctx.now());
    }
    await notifyStreams(tx, route.organizationId, clusterId);
  });
}

/**
 * recordAddresses stores where addresses were seen to lead, records events of those that moved, and returns whether all
 * is as decided.
 */
export async function recordAddresses(
  clusterId: string,
  decided: Decision,
  { seen, problems }: Findings,
  ctx: ReconcileContext,
): Promise<boolean> {
  const { route, addresses, paused } = decided;
  const found = new Map(seen.map((each) => [each.address, each]));
  const refused = new Map(problems.map((each) => [each.address, each.message]));
  return inTransaction(ctx.db, async (tx) => {
    await lockCloudRoute(tx, clusterId);
    await holdLease(tx, ctx.task);
    const now = ctx.now();
    let isWhole = true;
    let isNews = false;
    for (const row of addresses) {
      const at = found.get(row.address);
      const problem = refused.get(row.address);
      if (row.state === "leaving" && !problem && (!at?.interfaceId || !at.isOurs)) {
        await tx.cloudAddress.deleteMany({ where: { id: row.id } });
        isNews = true;
        continue;
      }
      const isThere = row.toAddress !== "" && at?.reaches.includes(row.toAddress) === true && !problem;
      isWhole &&= isThere || row.state === "unserved" || paused.has(row.address);
      const arrived = isThere && row.state !== "placed";
      const state = problem ? "refused" : isThere && row.state !== "unserved" ? "placed" : row.state;
      // A problem that is solved is no longer the reason; why the address moved is.
      const isOver = state === "placed" && (row.state === "refused" || (row.state === "moving" && row.fromName === ""));
      const reason = problem ?? (isOver ? "" : row.reason);
      const data = {
        state,
        reason,
        interfaceId: at?.interfaceId ?? "",
        observedAt: now,
        ...(isThere ? (arrived && row.state !== "unserved" ? { since: now } : {}) : { since: null }),
      };
      await tx.cloudAddress.update({ where: { id: row.id }, data });
      const event = eventOf(row, { arrived, problem: problem ?? "", now });
      if (event)
        await recordDampedEvent(tx, route.organizationId, { ...event, ...subjectOf(row, decided, clusterId), at: now });
      isNews ||= arrived || state !== row.state || reason !== row.reason;
    }
    if (isNews) await notifyStreams(tx, route.organizationId, clusterId);
    return isWhole;
  });
}

function eventOf(row: StoredAddress, seen: { arrived: boolean; problem: string; now: Date }): EventContent | null {
  const { address, nodeName, fromName, reason, state } = row;
  if (seen.problem)
    return state === "refused" && reason === seen.problem
      ? null
      : {
          reason: "AddressRefused",
          message: `${address} can't be routed to ${nodeName}: ${seen.problem}.`,
        };
  if (state === "unserved")
    return seen.arrived && row.observedAt !== null
      ? { reason: "AddressUnserved", message: `${address} stays where it is: ${reason}.` }
      : null;
  if (!seen.arrived) return null;
  const took = `${((seen.now.getTime() - row.decidedAt.getTime()) / 1_000).toFixed(1)} s`;
  if (!fromName)
    return {
      reason: "AddressPlaced",
      message: `${address} leads to ${nodeName}; that took ${took}.`,
    };
  const why = reason ? `, because ${reason}` : "";
  const message = `${address} moved from ${fromName} to ${nodeName}${why}; that took ${took}.`;
  return { reason: "AddressMoved", message };
}

function subjectOf({ loadBalancerId, address }: StoredAddress, { route }: Decision, clusterId: string) {
  if (loadBalancerId)
    return { subjectKind: "load-balancer" as const, subjectId: loadBalancerId, subjectName: address, clusterId };
  return { subjectKind: "cluster" as const, subjectId: clusterId, subjectName: route.clusterName, clusterId };
}

export async function notifyStreams(tx: Tx, organizationId: string, clusterId: string): Promise<void> {
  await appendFeed(tx, organizationId, [{ subjectKind: "cluster", subjectId: clusterId, clusterId }]);
}
