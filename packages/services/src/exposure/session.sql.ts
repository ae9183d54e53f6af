import type { Tx } from "@fairlead/db";
import type { SessionBackend, SessionReplica, TicketKey } from "@fairlead/domain/exposure";

export type SessionKeyAge = { epoch: number; createdAt: Date };

/** findSessionKey returns the epoch of a cluster's current key; null before the first. */
export async function findSessionKey(tx: Tx, clusterId: string): Promise<SessionKeyAge | null> {
  return tx.sessionKey.findFirst({
    where: { clusterId },
    orderBy: { epoch: "desc" },
    select: { epoch: true, createdAt: true },
  });
}

export async function selectSessionReplicas(
  tx: Tx,
  loadBalancerIds: readonly string[],
  lags: ReadonlyMap<string, Date> = new Map(),
): Promise<SessionReplica[]> {
  const rows = await tx.$queryRaw<Omit<SessionReplica, "ticketsOutdatedSince">[]>`
    SELECT r.id AS "replicaId", r.load_balancer_id AS "loadBalancerId", coalesce(s.problem = '', false) AS "bySession",
      coalesce(s.problem, 'Its agent has not reported it yet.') AS problem, nullif(s.fallback, '') AS fallback, greatest(s.observed_at, a.last_report_at) AS "observedAt"
    FROM replica r LEFT JOIN replica_session s ON s.replica_id = r.id
    LEFT JOIN node_status a ON a.agent_id = r.agent_id AND s.replica_id IS NOT NULL
    WHERE r.load_balancer_id = ANY(${[...loadBalancerIds]}::text[]) ORDER BY r.load_balancer_id, r.ordinal LIMIT 2000`;
  return rows.map((each) => ({ ...each, ticketsOutdatedSince: lags.get(each.replicaId) ?? null }));
}

/** TicketKeyState is what a rotation has of a server, by its instance. hindrance: why it has no newer keys, if its agent can't say that. */
export type TicketKeyState = Omit<TicketKey, "problem"> & {
  isNewest: (reported: number) => boolean;
  hindrance: string | null;
};

type Row = Omit<SessionBackend, "names" | "takesConnections" | "message" | "ticketKey"> & {
  instance: string;
  ticketRevision: number;
  ticketProblem: string;
  isReporting: boolean;
  ready: boolean | null;
  hostMessage: string | null;
  /** The network interface whose check drops its replies. */
  checkedInterface: string | null;
  roleProblem: string | null;
  names: { name: string; since: string | null; seen: string | null }[];
};

/**
 * selectSessionBackends returns what is known of each backend. Of several replicas, the one that learned the most counts.
 * The row of an instance may be gone while its backend drains.
 */
export async function selectSessionBackends(
  tx: Tx,
  loadBalancerIds: readonly string[],
  ticketKeys: ReadonlyMap<string, TicketKeyState> = new Map(),
): Promise<SessionBackend[]> {
  const rows = await tx.$queryRaw<Row[]>`
    SELECT b.id AS "backendId", b.instance, b.load_balancer_id AS "loadBalancerId", n.number, host_agent.id AS "agentId",
      i.node_name AS "nodeName", coalesce(host_agent.reports, false) AS "isReporting",
      CASE WHEN h.agent_id = host_agent.id THEN h.ready END AS ready, CASE WHEN h.agent_id = host_agent.id THEN h.message END AS "hostMessage",
      coalesce(h.ticket_revision, 0) AS "ticketRevision", coalesce(h.ticket_problem, '') AS "ticketProblem", role.problem AS "roleProblem",
      c.interface_id AS "checkedInterface", coalesce(t.kind, 'unknown') AS tickets, coalesce(t.message, '') AS "ticketsMessage",
      coalesce(t.names, '[]'::jsonb) AS names, t.observed_at AS "observedAt"
    FROM backend b JOIN load_balancer l ON l.id = b.load_balancer_id
    LEFT JOIN session_number n ON n.exposure_id = l.exposure_id AND n.instance = b.instance
    LEFT JOIN instance i ON i.cluster_id = l.cluster_id AND i.name = b.instance AND b.address = ANY(i.addresses)
    LEFT JOIN LATERAL (
      SELECT v.id, v.state IN ('in-sync', 'out-of-sync') AS reports FROM agent_view v JOIN node o ON o.id = v."nodeId"
      WHERE o.cluster_id = l.cluster_id AND o.name = i.node_name AND v."revokedAt" IS NULL AND 'backend' = ANY(v.roles)
      ORDER BY v.id DESC LIMIT 1
    ) host_agent ON true
    LEFT JOIN backend_server_status h ON h.backend_id = b.id
    LEFT JOIN backend_role_status role ON role.agent_id = host_agent.id
    LEFT JOIN source_check c ON c.backend_id = b.id
    LEFT JOIN LATERAL (
      SELECT s.kind, s.message, s.names, greatest(s.observed_at, a.last_report_at) AS observed_at FROM backend_session s
      JOIN replica r ON r.id = s.replica_id LEFT JOIN node_status a ON a.agent_id = r.agent_id WHERE s.backend_id = b.id
      ORDER BY array_position(ARRAY['stable', 'random', 'none', 'failed', 'unknown'], s.kind), greatest(s.observed_at, a.last_report_at) DESC, s.replica_id LIMIT 1
    ) t ON true
    WHERE b.load_balancer_id = ANY(${[...loadBalancerIds]}::text[])
    ORDER BY b.load_balancer_id, b.address, b.port, b.protocol LIMIT 2000`;
  return rows.map(
    ({
      instance,
      ticketRevision,
      ticketProblem,
      isReporting,
      ready,
      hostMessage,
      roleProblem,
      checkedInterface,
      names,
      ...row
    }) => ({
      ...row,
      takesConnections: isReporting && ready === true && checkedInterface === null,
      message: messageOf({ ...row, isReporting, ready, hostMessage, roleProblem, checkedInterface }),
      ticketKey: toTicketKey(ticketKeys.get(instance), { ...row, isReporting, ticketRevision, ticketProblem }),
      names: names.map(({ name, since, seen }) => ({ name, since: toDate(since), seen: toDate(seen) })),
    }),
  );
}

const toDate = (text: string | null): Date | null => (text === null ? null : new Date(text));

type Reported = Pick<Row, "isReporting" | "nodeName" | "ticketRevision" | "ticketProblem">;

function toTicketKey(state: TicketKeyState | undefined, reported: Reported): TicketKey | null {
  if (!state) return null;
  const { isNewest, hindrance, ...key } = state;
  const why = key.outdatedSince ? (hindrance ?? whyOutdated(isNewest, reported)) : reported.ticketProblem;
  return { ...key, problem: why };
}

function whyOutdated(isNewest: TicketKeyState["isNewest"], reported: Reported): string {
  const { isReporting, nodeName, ticketRevision, ticketProblem } = reported;
  if (!isReporting) return `The agent of the role backend on ${nodeName ?? "its node"} does not report.`;
  if (ticketProblem !== "") return ticketProblem;
  return isNewest(ticketRevision)
    ? "The server was given the newest keys, but its tickets still start with the name of a former key: reload it, unless it reloads by itself."
    : `The agent of the role backend on ${nodeName ?? "its node"} has not applied the newest keys yet.`;
}

type Hosted = Pick<
  Row,
  "nodeName" | "agentId" | "isReporting" | "roleProblem" | "ready" | "hostMessage" | "checkedInterface"
>;

/** The first reason in the order in which an operator has to act. */
function messageOf(row: Hosted): string {
  if (row.nodeName === null) return "Its instance is gone, or has another address.";
  if (row.agentId === null)
    return `The node ${row.nodeName || "of the instance"} has no agent of the role backend: add one.`;
  if (!row.isReporting) return `The agent of the role backend on ${row.nodeName} does not report.`;
  if (row.roleProblem) return row.roleProblem;
  if (row.ready === null) return `The agent of the role backend on ${row.nodeName} has not reported it yet.`;
  if (row.ready && row.checkedInterface) return whyChecked(row.checkedInterface);
  return row.hostMessage ?? "";
}

function whyChecked(interfaceId: string): string {
  return `AWS drops its replies, because its network interface ${interfaceId} has the source/destination check: turn it off, such as with aws ec2 modify-network-interface-attribute --network-interface-id ${interfaceId} --no-source-dest-check.`;
}
