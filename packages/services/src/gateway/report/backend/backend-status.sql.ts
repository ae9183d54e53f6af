import type { Tx } from "@fairlead/db";
import type { AgentIdentity } from "../../identity/identities.sql.ts";
import type { BackendReport, ReportedServer } from "./backend-report.ts";

/** BackendChange is what the report of an agent next to servers changes. */
export type BackendChange = {
  agent: AgentIdentity;
  problem: string;
  hasOtherProblem: boolean;
  /** Those that are new or differ. */
  written: ReportedServer[];
  /** Backends that it reported before, or whose instance is on another node now. */
  gone: string[];
  /** Its load balancers, which those that carry them must learn. */
  loadBalancerIds: string[];
  exposureIds: string[];
  /** Of exposureIds, those with an instance that took connections before this report. */
  takenIds: string[];
  looksDifferent: boolean;
};

/** A report of an agent next to servers. */
export type BackendNews = { agent: AgentIdentity; backend: BackendReport };

type Row = ReportedServer & {
  reporterId: string;
  loadBalancerId: string;
  exposureId: string;
  agentId: string | null;
  isElsewhere: boolean;
};

/**
 * planBackendReports compares reports with what is stored, in a fixed number of statements. An agent reports only on the
 * backends of its node: so one that is compromised can't direct the connections of others to itself.
 */
export async function planBackendReports(tx: Tx, news: readonly BackendNews[]): Promise<BackendChange[]> {
  if (news.length === 0) return [];
  const agentIds = news.map(({ agent }) => agent.agentId);
  const reported = news.flatMap(({ agent, backend }) =>
    backend.servers.map(({ backendId }) => ({ agentId: agent.agentId, backendId })),
  );
  const rows = await tx.$queryRaw<Row[]>`
    SELECT r.agent_id AS "reporterId", b.id AS "backendId", l.id AS "loadBalancerId", l.exposure_id AS "exposureId", h.agent_id AS "agentId",
      coalesce(h.ready, false) AS ready, coalesce(h.message, '') AS message, coalesce(h.companion, '') AS companion,
      coalesce(h.ticket_revision, 0) AS "ticketRevision", coalesce(h.ticket_problem, '') AS "ticketProblem",
      coalesce(i.node_name <> '' AND i.node_name <> r.node_name, false) AS "isElsewhere"
    FROM (
      SELECT agent_id, backend_id FROM backend_server_status WHERE agent_id = ANY(${agentIds}::text[])
      UNION SELECT * FROM unnest(${reported.map((each) => each.agentId)}::text[], ${reported.map((each) => each.backendId)}::text[])
    ) AS concerned (agent_id, backend_id)
    JOIN unnest(${agentIds}::text[], ${news.map(({ agent }) => agent.nodeId)}::text[], ${news.map(({ agent }) => agent.nodeName)}::text[])
      AS r (agent_id, node_id, node_name) ON r.agent_id = concerned.agent_id
    JOIN backend b ON b.id = concerned.backend_id JOIN load_balancer l ON l.id = b.load_balancer_id
    LEFT JOIN backend_server_status h ON h.backend_id = b.id
    LEFT JOIN instance i ON i.cluster_id = l.cluster_id AND i.name = b.instance AND b.address = ANY(i.addresses)
    LEFT JOIN node o ON o.cluster_id = i.cluster_id AND o.name = i.node_name
    WHERE h.agent_id = r.agent_id OR o.id = r.node_id`;
  const statuses = await tx.backendRoleStatus.findMany({
    where: { agentId: { in: agentIds } },
    select: { agentId: true, problem: true },
  });
  const problems = new Map(statuses.map((each) => [each.agentId, each.problem]));
  const stored = Map.groupBy(rows, (each) => each.reporterId);
  return news.map((each) => compare(each, stored.get(each.agent.agentId) ?? [], problems.get(each.agent.agentId)));
}

function compare({ agent, backend }: BackendNews, stored: readonly Row[], problem: string | undefined): BackendChange {
  const { agentId } = agent;
  const known = new Map(stored.map((each) => [each.backendId, each]));
  const reported = new Set(backend.servers.map((each) => each.backendId));
  const written = backend.servers.filter((each) => {
    const before = known.get(each.backendId);
    return before !== undefined && !before.isElsewhere && (before.agentId !== agentId || differs(before, each));
  });
  const gone = stored.filter((each) => each.agentId === agentId && (each.isElsewhere || !reported.has(each.backendId)));
  const moved = written.flatMap((each) => {
    const before = known.get(each.backendId);
    return before && (before.agentId !== agentId || takesOtherwise(before, each)) ? [before] : [];
  });
  const concerned = [...gone, ...written.flatMap((each) => known.get(each.backendId) ?? [])];
  const hasOtherProblem = problem !== backend.problem;
  const affected = hasOtherProblem ? stored : concerned;
  return {
    agent,
    problem: backend.problem,
    hasOtherProblem,
    written,
    gone: gone.map((each) => each.backendId),
    loadBalancerIds: [...new Set([...gone, ...moved].map((each) => each.loadBalancerId))],
    exposureIds: [...new Set(affected.map((each) => each.exposureId))],
    takenIds: concerned.filter((each) => each.ready).map((each) => each.exposureId),
    looksDifferent: hasOtherProblem || concerned.length > 0,
  };
}

function differs(before: ReportedServer, after: ReportedServer): boolean {
  return (
    takesOtherwise(before, after) ||
    before.message !== after.message ||
    before.ticketRevision !== after.ticketRevision ||
    before.ticketProblem !== after.ticketProblem
  );
}

/** takesOtherwise reports whether a server takes connections elsewhere, or no longer. */
function takesOtherwise(before: ReportedServer, { ready, companion }: ReportedServer): boolean {
  return before.ready !== ready || before.companion !== companion;
}

/** writeBackendReports stores what planBackendReports returned. Of two reports about one server, the last counts. */
export async function writeBackendReports(tx: Tx, changes: readonly BackendChange[], now: Date): Promise<void> {
  for (const { agent, problem, hasOtherProblem } of changes) {
    if (!hasOtherProblem) continue;
    const { agentId } = agent;
    const observed = { problem, observedAt: now };
    await tx.backendRoleStatus.upsert({ where: { agentId }, create: { agentId, ...observed }, update: observed });
  }
  const gone = changes.flatMap(({ agent, gone }) => gone.map((backendId) => ({ agentId: agent.agentId, backendId })));
  if (gone.length > 0)
    await tx.$executeRaw`
      DELETE FROM backend_server_status WHERE (agent_id, backend_id) IN (
        SELECT * FROM unnest(${gone.map((each) => each.agentId)}::text[], ${gone.map((each) => each.backendId)}::text[]))`;
  const all = changes.flatMap(({ agent, written }) => written.map((each) => ({ ...each, agentId: agent.agentId })));
  const written = [...new Map(all.map((each) => [each.backendId, each])).values()];
  if (written.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO backend_server_status (backend_id, agent_id, ready, message, companion, ticket_revision, ticket_problem, observed_at)
    SELECT b.id, reported.agent_id, reported.ready, reported.message, reported.companion, reported.ticket_revision, reported.ticket_problem,
      ${now}::timestamptz FROM unnest(
      ${written.map((each) => each.backendId)}::text[], ${written.map((each) => each.agentId)}::text[],
      ${written.map((each) => each.ready)}::boolean[], ${written.map((each) => each.message)}::text[],
      ${written.map((each) => each.companion)}::text[], ${written.map((each) => each.ticketRevision)}::int[],
      ${written.map((each) => each.ticketProblem)}::text[])
      AS reported (id, agent_id, ready, message, companion, ticket_revision, ticket_problem)
    JOIN backend b ON b.id = reported.id ORDER BY b.id
    ON CONFLICT (backend_id) DO UPDATE SET agent_id = excluded.agent_id, ready = excluded.ready, message = excluded.message,
      companion = excluded.companion, ticket_revision = excluded.ticket_revision, ticket_problem = excluded.ticket_problem,
      observed_at = excluded.observed_at`;
}
