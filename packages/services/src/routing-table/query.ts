import { randomUUID } from "node:crypto";
import { notFound } from "@fairlead/domain";
import { shareOut } from "@fairlead/domain/experiment";
import { bgpRoles } from "@fairlead/domain/node";
import {
  answerWithinMs,
  type QueryRoutingTable,
  type RoutesAnswer,
  type RoutingTable,
  type RoutingTableAnswer,
} from "@fairlead/domain/routing";
import { loadCluster } from "../cluster/get.ts";
import { authorize, type ServiceContext } from "../context.ts";
import { awaitAnswers } from "./await-answers.ts";
import { namePeers } from "./name-peers.ts";
import { putQuestions } from "./question.sql.ts";
import { type QueriedAgent, selectQueried } from "./select-queried.sql.ts";

const mostAgents = 32;

/**
 * queryRoutingTable queries agents directly, while the client waits: their tables are too large to be reported, and
 * change too fast. An agent that doesn't answer does not affect the others' answers.
 */
export async function queryRoutingTable(ctx: ServiceContext, input: QueryRoutingTable): Promise<RoutingTable> {
  authorize(ctx, "cluster:read");
  const { clusterId, agentId, covers = "", prefix = "", after, limit, kernel } = input;
  if (clusterId) await loadCluster(ctx.db, ctx.organizationId, clusterId);
  const roles = agentId ? bgpRoles : kernel ? ["router"] : ["reflector", "router"];
  const agents = await selectQueried(ctx.db, ctx.organizationId, { roles, agentId, clusterId, most: mostAgents });
  if (agentId && agents.length === 0) throw notFound("agent that speaks BGP", agentId, ["agentId"]);
  const request = { covers, prefix, after, most: limit, kernel };
  const questions = new Map(
    agents.filter(speaks).map(({ agentId }) => [agentId, { id: randomUUID(), agentId, request }] as const),
  );
  const put = await putQuestions(ctx.db, [...questions.values()], ctx.now);
  const answers = await awaitAnswers(ctx.db, [...put]);
  const name = await namePeers(ctx, new Set(agents.map((each) => each.clusterId)));
  return {
    requestedAt: ctx.now,
    answers: agents.map((agent) => {
      const question = questions.get(agent.agentId);
      if (!question) return unanswered(agent, "silent", silentSince(agent));
      const answer = answers.get(question.id);
      if (answer?.problem)
        return unanswered(agent, "refused", `${agent.nodeName} could not answer: ${answer.problem}.`);
      if (answer) return answered(agent, answer, (address) => name(agent.clusterId, address));
      return unanswered(agent, "unanswered", put.has(question.id) ? lateOf(agent) : busyOf(agent));
    }),
  };
}

function speaks({ state }: QueriedAgent): boolean {
  return state === "in-sync" || state === "out-of-sync";
}

const silentSince = ({ nodeName, lastReportAt }: QueriedAgent): string =>
  lastReportAt
    ? `${nodeName} has been silent since ${lastReportAt.toISOString()}, so it was not queried: check that its agent runs and reaches the control plane.`
    : `${nodeName} has never reported, so it was not queried.`;
const lateOf = ({ nodeName, version }: QueriedAgent): string =>
  `${nodeName} did not answer within ${answerWithinMs / 1_000} s. It runs version ${version || "unknown"}: one older than the control plane may not support queries. Otherwise retry.`;
const busyOf = ({ nodeName }: QueriedAgent): string => `${nodeName} has too many open queries; retry in a second.`;

export function seenBy({ agentId, nodeId, nodeName, clusterId, clusterName, role }: QueriedAgent) {
  return { agentId, nodeId, nodeName, clusterId, clusterName, role };
}

function unanswered(agent: QueriedAgent, state: RoutingTableAnswer["state"], message: string): RoutingTableAnswer {
  return { ...seenBy(agent), state, message, routes: [], kernelRoutes: [], next: null, known: null };
}

function answered(
  agent: QueriedAgent,
  { routes, kernelRoutes, next, known }: RoutesAnswer,
  name: (address: string) => string,
): RoutingTableAnswer {
  return {
    ...seenBy(agent),
    state: "answered",
    message: "",
    routes: routes.map((route) => ({
      ...route,
      nextHopName: name(route.nextHop),
      fromName: name(route.from),
      since: route.since === null ? null : new Date(route.since),
    })),
    kernelRoutes: kernelRoutes.map(({ prefix, nextHops }) => {
      const shares = shareOut(nextHops.map(({ weight }) => weight));
      return {
        prefix,
        nextHops: nextHops.map((hop, i) => ({ ...hop, name: name(hop.address), share: shares[i] ?? null })),
      };
    }),
    next: next || null,
    known,
  };
}
