import type { Tx } from "@fairlead/db";
import type { AdaptivePeerReport, ReportedAdaptiveService } from "../../gateway/report/adaptive/adaptive-report.ts";

/** Reports of agents of an earlier version lack rates, means, periods, and numbers of backends. */
type ReportedService = Pick<ReportedAdaptiveService, "port" | "protocol"> & {
  connectionsPerSecond?: number | null;
  requestsPerSecond?: number | null;
  serviceMs?: number | null;
  cpuPeriodMs?: number | null;
  nodes: (Omit<ReportedAdaptiveService["nodes"][number], "backends"> & { backends?: number })[];
};

/** A node with an agent that distributes connections of an exposure. */
export type ReportedEntry = {
  nodeId: string;
  nodeName: string;
  cores: number | null;
  peers: AdaptivePeerReport[];
  services: ReportedService[];
  observedAt: Date | null;
};

/** More nodes than can be simulated: those without requests and instances are left out afterwards. */
export const mostEntries = 500;

/** leftOut is the number of other nodes. */
export type ReportedEntries = { entries: ReportedEntry[]; leftOut: number };

/** selectEntries returns mostEntries nodes: those that are named, then those with instances, then those with the most requests. */
export async function selectEntries(tx: Tx, exposureId: string, named: ReadonlySet<string>): Promise<ReportedEntries> {
  const rows = await tx.$queryRaw<(ReportedEntry & { total: number })[]>`
    SELECT * FROM (
      SELECT n.id AS "nodeId", n.name AS "nodeName", s.cores, coalesce(s.peers, '[]') AS peers, coalesce(d.services, '[]') AS services,
        greatest(d.observed_at, CASE WHEN d.replica_id IS NOT NULL THEN ns.last_report_at END) AS "observedAt", (count(*) OVER ())::int AS total
      FROM load_balancer l JOIN replica r ON r.load_balancer_id = l.id AND r.role = 'adaptive'
      JOIN agent a ON a.id = r.agent_id AND a.revoked_at IS NULL JOIN node n ON n.id = a.node_id
      LEFT JOIN adaptive_status s ON s.agent_id = a.id LEFT JOIN node_status ns ON ns.agent_id = a.id
      LEFT JOIN adaptive_replica d ON d.replica_id = r.id
      LEFT JOIN LATERAL (
        SELECT bool_or(node ->> 'nodeId' = n.id AND coalesce((node ->> 'backends')::float8, 0) > 0) AS serves, sum((node ->> 'open')::float8) AS open
        FROM jsonb_array_elements(d.services) AS service, jsonb_array_elements(service -> 'nodes') AS node
      ) of_nodes ON true
      LEFT JOIN LATERAL (
        SELECT sum(coalesce((service ->> 'requestsPerSecond')::float8, 0) + coalesce((service ->> 'connectionsPerSecond')::float8, 0)) AS rate
        FROM jsonb_array_elements(d.services) AS service
      ) of_services ON true
      WHERE l.exposure_id = ${exposureId}
      ORDER BY n.id = ANY(${[...named]}::text[]) DESC, coalesce(serves, false) DESC, coalesce(rate, 0) DESC, coalesce(open, 0) DESC, n.name, n.id
      LIMIT ${mostEntries}
    ) chosen ORDER BY "nodeName", "nodeId"`;
  const [first] = rows;
  return { entries: rows.map(({ total: _, ...entry }) => entry), leftOut: (first?.total ?? 0) - rows.length };
}
