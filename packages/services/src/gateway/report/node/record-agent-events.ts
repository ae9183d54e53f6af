import type { Tx } from "@fairlead/db";
import type { ReportedReason } from "@fairlead/domain/event";
import { appendFeed } from "../../../control/append-feed.sql.ts";
import { type OrganizationEvent, recordDampedEvents } from "../../../control/record-damped-event.ts";
import type { ReportedEvent } from "../balancer/balancer-report.ts";
import { selectShared } from "../balancer/shared-addresses.sql.ts";
import type { CheckedReport } from "../check-report.ts";
import type { News } from "../record-observations.ts";

/**
 * recordAgentEvents records the events that agents report: of a balancer of their own cluster, or else of their node.
 * Flapping events are damped like all others; two backends that go down are two events.
 */
export async function recordAgentEvents(tx: Tx, news: readonly News[], now: Date): Promise<void> {
  const reported = [
    ...news.flatMap(({ agent, report }) =>
      [...report.events, ...impossibleFigures(report, now)].map((event) => ({ agent, event })),
    ),
    ...(await selectShared(tx, news, now)),
  ];
  if (reported.length === 0) return;
  const balancerIds = [...new Set(reported.flatMap(({ event }) => event.loadBalancerId || []))];
  const rows = await tx.loadBalancer.findMany({
    where: { id: { in: balancerIds } },
    select: { id: true, name: true, clusterId: true, exposureId: true },
  });
  const balancers = new Map(rows.map((each) => [each.id, each]));
  const nameInstances = await readInstances(tx, reported);
  const events = reported.map(({ agent, event }): OrganizationEvent => {
    const { organizationId, clusterId, nodeId, nodeName } = agent;
    const balancer = balancers.get(event.loadBalancerId);
    const isOwn = balancer?.clusterId === clusterId;
    return {
      organizationId,
      clusterId,
      at: event.at,
      severity: event.warning ? "warning" : "info",
      reason: event.reason,
      message: `${nodeName}: ${isOwn ? nameInstances(event) : event.message}`,
      ...(isOwn
        ? { subjectKind: "load-balancer" as const, subjectId: balancer.id, subjectName: balancer.name }
        : { subjectKind: "node" as const, subjectId: nodeId, subjectName: nodeName }),
    };
  });
  await recordDampedEvents(tx, events, { byMessage: true });
  for (const [organizationId, of] of Map.groupBy(events, (each) => each.organizationId)) {
    const subjects = new Map(of.map((each) => [each.subjectId, each]));
    await appendFeed(
      tx,
      organizationId,
      [...subjects.values()].map(({ subjectKind, subjectId, clusterId }) => ({ subjectKind, subjectId, clusterId })),
    );
  }
}

const backendId = /\bbak_[0-9a-z]{1,40}\b/g;

/** Agents identify backends by id; users by the instance. An event names those of its own balancer only. */
async function readInstances(
  tx: Tx,
  reported: readonly { event: ReportedEvent }[],
): Promise<(of: ReportedEvent) => string> {
  const ids = [...new Set(reported.flatMap(({ event }) => event.message.match(backendId) ?? []))];
  const select = { id: true, instance: true, loadBalancerId: true };
  const rows = ids.length === 0 ? [] : await tx.backend.findMany({ where: { id: { in: ids } }, select });
  const backends = new Map(rows.map((each) => [each.id, each]));
  return ({ message, loadBalancerId }) =>
    message.replace(backendId, (id) => {
      const backend = backends.get(id);
      return backend?.loadBalancerId === loadBalancerId && backend.instance !== "" ? backend.instance : id;
    });
}

function impossibleFigures({ impossible }: CheckedReport, at: Date): ReportedEvent[] {
  if (impossible === null) return [];
  const message = `Its agent reported impossible figures: ${impossible}. They are left out. Find out what runs there.`;
  return [{ at, reason: "FiguresRefused" satisfies ReportedReason, message, warning: true, loadBalancerId: "" }];
}
