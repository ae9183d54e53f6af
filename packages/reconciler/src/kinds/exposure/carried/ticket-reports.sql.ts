import type { Tx } from "@fairlead/db";
import { sessionProtocol, type TicketMemberIds } from "@fairlead/domain/load-balancer";

/** TicketReports is what agents and replicas report of an exposure's ticket keys. */
export type TicketReports = {
  members: TicketMemberIds;
  /** The revision of each instance or replica, by its id. */
  revisions: ReadonlyMap<string, number>;
  /** The names of the tickets that replicas got from instances last: several if a server changed its key meanwhile. */
  seen: ReadonlyMap<string, { name: string; seen: Date }[]>;
};

/**
 * selectTicketReports returns the members of a rotation, and what they report. Servers are the instances that have an agent
 * next to them. Replicas are those with an agent, unless it places each connection on its own, and uses no names. A proxy
 * uses names too; agents of earlier versions don't report those of their proxy.
 */
export async function selectTicketReports(tx: Tx, exposureId: string): Promise<TicketReports> {
  const servers = await tx.$queryRaw<{ instance: string; revision: number }[]>`
    SELECT b.instance, min(coalesce(h.ticket_revision, 0))::int AS revision
    FROM backend b JOIN load_balancer l ON l.id = b.load_balancer_id
    JOIN instance i ON i.cluster_id = l.cluster_id AND i.name = b.instance AND b.address = ANY(i.addresses)
    JOIN node o ON o.cluster_id = l.cluster_id AND o.name = i.node_name
    LEFT JOIN backend_server_status h ON h.backend_id = b.id
    WHERE l.exposure_id = ${exposureId} AND b.protocol = 'tcp' AND EXISTS (
      SELECT 1 FROM agent a WHERE a.node_id = o.id AND a.revoked_at IS NULL AND 'backend' = ANY(a.roles))
    GROUP BY b.instance`;
  const replicas = await tx.$queryRaw<{ id: string; revision: number }[]>`
    SELECT r.id, coalesce(s.ticket_revision, 0) AS revision FROM replica r JOIN load_balancer l ON l.id = r.load_balancer_id
    JOIN agent a ON a.id = r.agent_id LEFT JOIN replica_session s ON s.replica_id = r.id
    WHERE l.exposure_id = ${exposureId} AND l.deleted_at IS NULL
      AND (coalesce(s.problem, '') = '' OR s.fallback = 'proxy' AND a.protocol_version >= ${sessionProtocol})`;
  const names = await tx.$queryRaw<{ instance: string; name: string; seen: Date }[]>`
    SELECT instance, name, seen FROM (
      SELECT b.instance, known.name, known.seen::timestamptz AS seen, rank() OVER (PARTITION BY b.instance ORDER BY known.seen::timestamptz DESC) AS place
      FROM backend_session s JOIN backend b ON b.id = s.backend_id JOIN load_balancer l ON l.id = b.load_balancer_id
      CROSS JOIN LATERAL jsonb_to_recordset(s.names) AS known (name text, seen text)
      WHERE l.exposure_id = ${exposureId} AND known.seen IS NOT NULL
    ) ranked WHERE place = 1`;
  const seen = Map.groupBy(names, (each) => each.instance);
  return {
    members: { servers: servers.map((each) => each.instance), replicas: replicas.map((each) => each.id) },
    revisions: new Map([
      ...servers.map((each) => [each.instance, each.revision] as const),
      ...replicas.map((each) => [each.id, each.revision] as const),
    ]),
    seen,
  };
}
