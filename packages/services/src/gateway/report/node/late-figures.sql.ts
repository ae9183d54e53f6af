import type { Tx } from "@fairlead/db";
import type { ReportedReason } from "@fairlead/domain/event";
import type { AgentIdentity } from "../../identity/identities.sql.ts";
import type { ReportedEvent } from "../balancer/balancer-report.ts";
import type { News } from "../record-observations.ts";

const reason = "FiguresLate" satisfies ReportedReason;
const message =
  "Its figures from after the load balancer was moved off it are left out. It may have carried traffic until it got its next config.";
/** An agent that is back after an outage sends many such reports: they are one event. */
const quietMs = 3_600_000;

/**
 * selectLate returns an event for each agent and load balancer with figures that are left out, unless there was one lately.
 * The event is information, because the agent made no mistake, but the load balancer's charts and costs have a gap.
 */
export async function selectLate(
  tx: Tx,
  news: readonly News[],
  now: Date,
): Promise<{ agent: AgentIdentity; event: ReportedEvent }[]> {
  const late = new Map(
    news.flatMap(({ agent, late }) =>
      [...late].map((loadBalancerId) => [keyOf(loadBalancerId, agent.nodeName), { agent, loadBalancerId }]),
    ),
  );
  if (late.size === 0) return [];
  const since = new Date(now.getTime() - quietMs);
  const subjectIds = [...new Set([...late.values()].map((each) => each.loadBalancerId))];
  const recorded = await tx.event.findMany({
    where: {
      organizationId: { in: [...new Set([...late.values()].map(({ agent }) => agent.organizationId))] },
      ...{ subjectId: { in: subjectIds }, reason, at: { gt: since } },
    },
    select: { subjectId: true, message: true },
  });
  for (const each of recorded) late.delete(keyOf(each.subjectId, each.message.slice(0, -message.length - 2)));
  return [...late.values()].map(({ agent, loadBalancerId }) => ({
    agent,
    event: { at: now, reason, message, warning: false, loadBalancerId },
  }));
}

const keyOf = (loadBalancerId: string, nodeName: string) => `${loadBalancerId} ${nodeName}`;
