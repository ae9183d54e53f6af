import type { Tx } from "@fairlead/db";
import type { ReportedReason } from "@fairlead/domain/event";
import { appendFeed } from "../../../control/append-feed.sql.ts";
import { type OrganizationEvent, recordDampedEvents } from "../../../control/record-damped-event.ts";
import type { AgentIdentity } from "../../identity/identities.sql.ts";
import type { ReportedEvent } from "../balancer/balancer-report.ts";
import { Carriers } from "../balancer/carriers.sql.ts";
import { selectShared } from "../balancer/shared-addresses.sql.ts";
import type { News } from "../record-observations.ts";
import { selectLate } from "./late-figures.sql.ts";

/**
 * recordAgentEvents records the events that agents report: of a balancer that they carry, announce, or did so until
 * lately, or else of their node. Flapping events are damped like all others; two backends that go down are two events.
 */
export async function recordAgentEvents(tx: Tx, news: readonly News[], now: Date): Promise<void> {
  const reported = [
    ...news.flatMap((each) =>
      [...each.report.events, ...refusedFigures(each, now)].map((event) => ({ agent: each.agent, event })),
    ),
    ...(await selectShared(tx, news, now)),
    ...(await selectLate(tx, news, now)),
  ];
  if (reported.length === 0) return;
  const balancerIds = [...new Set(reported.flatMap(({ event }) => event.loadBalancerId || []))];
  const rows = await tx.loadBalancer.findMany({
    where: { id: { in: balancerIds } },
    select: { id: true, name: true },
  });
  const balancers = new Map(rows.map((each) => [each.id, each]));
  const isOwn = await readOwners(tx, reported, [...balancers.keys()]);
  const nameInstances = await readInstances(tx, reported);
  const events = reported.map(({ agent, event }): OrganizationEvent => {
    const { organizationId, clusterId, nodeId, nodeName } = agent;
    const balancer = isOwn(agent, event.loadBalancerId) ? balancers.get(event.loadBalancerId) : undefined;
    return {
      organizationId,
      clusterId,
      at: event.at,
      severity: event.warning ? "warning" : "info",
      reason: event.reason,
      message: `${nodeName}: ${balancer ? nameInstances(event) : event.message}`,
      ...(balancer
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

/** readOwners finds out which balancers are an agent's own. A speaker announces what the balancers of its node carry. */
async function readOwners(
  tx: Tx,
  reported: readonly { agent: AgentIdentity }[],
  balancerIds: readonly string[],
): Promise<(agent: AgentIdentity, balancerId: string) => boolean> {
  if (balancerIds.length === 0) return () => false;
  const speakers = reported.filter(({ agent }) => agent.roles.includes("speaker"));
  const nodeIds = [...new Set(speakers.map(({ agent }) => agent.nodeId))];
  const beside = await tx.agent.findMany({ where: { nodeId: { in: nodeIds } }, select: { id: true, nodeId: true } });
  const onNode = Map.groupBy(beside, (each) => each.nodeId);
  const own = ({ agentId, nodeId, roles }: AgentIdentity) =>
    roles.includes("speaker") ? (onNode.get(nodeId) ?? []).map((each) => each.id) : [agentId];
  const agentIds = [...new Set(reported.flatMap(({ agent }) => own(agent)))];
  const carriers = await Carriers.load(tx, agentIds, balancerIds);
  return (agent, balancerId) => own(agent).some((agentId) => carriers.until(agentId, balancerId) !== null);
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

/** refusedFigures are events of the agent's node about figures that it can't have measured. */
function refusedFigures({ report: { impossible }, foreign }: News, at: Date): ReportedEvent[] {
  const refused = [
    ...(impossible === null ? [] : [`impossible figures: ${impossible}`]),
    ...(foreign === null ? [] : [`figures of the load balancer ${foreign}, which has no replica on it`]),
  ];
  return refused.map((what) => ({
    at,
    reason: "FiguresRefused" satisfies ReportedReason,
    message: `Its agent reported ${what}. They are left out. Find out what runs there.`,
    warning: true,
    loadBalancerId: "",
  }));
}
