import type { Tx } from "@fairlead/db";
import type { AdaptivePeerReport, ReportedAdaptiveService } from "../../gateway/report/adaptive/adaptive-report.ts";

/** Reports of agents of an earlier version lack rates, and numbers of backends. */
type ReportedService = Pick<ReportedAdaptiveService, "port" | "protocol"> & {
  connectionsPerSecond?: number | null;
  requestsPerSecond?: number | null;
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
const mostEntries = 500;

export async function selectEntries(tx: Tx, exposureId: string): Promise<ReportedEntry[]> {
  return tx.$queryRaw<ReportedEntry[]>`
    SELECT n.id AS "nodeId", n.name AS "nodeName", s.cores, coalesce(s.peers, '[]') AS peers, coalesce(d.services, '[]') AS services,
      greatest(d.observed_at, CASE WHEN d.replica_id IS NOT NULL THEN ns.last_report_at END) AS "observedAt"
    FROM load_balancer l JOIN replica r ON r.load_balancer_id = l.id AND r.role = 'adaptive'
    JOIN agent a ON a.id = r.agent_id JOIN node n ON n.id = a.node_id
    LEFT JOIN adaptive_status s ON s.agent_id = a.id LEFT JOIN node_status ns ON ns.agent_id = a.id
    LEFT JOIN adaptive_replica d ON d.replica_id = r.id
    WHERE l.exposure_id = ${exposureId}
    ORDER BY n.name, n.id LIMIT ${mostEntries}`;
}
