import { type Db, Prisma } from "@fairlead/db";
import { metricsFrom } from "@fairlead/domain/series";
import type { AgentIdentity } from "../../identity/identities.sql.ts";
import type { CheckedReport, CheckedSeries } from "../check-report.ts";

/** Metrics that an agent of the role balancer counts for itself; a node may have several such agents. */
const ofAgents: ReadonlySet<string> = new Set(metricsFrom("balancer"));

type Received = { agent: AgentIdentity; report: CheckedReport };

/**
 * SeriesSubjects holds which balancers and backends the series of a batch may be about: those of the agent's own
 * cluster. Reports of several replicas about one balancer are several series of it, distinguished by the label agent.
 */
export class SeriesSubjects {
  readonly #clusters: Map<string, string>;

  private constructor(clusters: Map<string, string>) {
    this.#clusters = clusters;
  }

  static async load(db: Db, received: readonly Received[]): Promise<SeriesSubjects> {
    const named = received.flatMap(({ report }) => report.series.flatMap(({ about }) => (about ? [about] : [])));
    if (named.length === 0) return new SeriesSubjects(new Map());
    const balancers = [...new Set(named.map((each) => each.loadBalancerId))];
    const backends = [...new Set(named.flatMap((each) => each.backendId ?? []))];
    const rows = await db.$queryRaw<{ id: string; clusterId: string }[]>(Prisma.sql`
      SELECT id, cluster_id AS "clusterId" FROM load_balancer WHERE id = ANY(${balancers}::text[])
      UNION ALL
      SELECT b.id, l.cluster_id FROM backend b JOIN load_balancer l ON l.id = b.load_balancer_id
      WHERE b.id = ANY(${backends}::text[])`);
    return new SeriesSubjects(new Map(rows.map((each) => [each.id, each.clusterId])));
  }

  /** of returns the subject of a series, or null where the agent may not report about it. */
  of(agent: AgentIdentity, { metric, labels, about }: CheckedSeries): { subjectId: string; labels: string } | null {
    if (!about && !ofAgents.has(metric)) return { subjectId: agent.nodeId, labels };
    const subjectId = about ? (about.backendId ?? about.loadBalancerId) : agent.nodeId;
    if (about && this.#clusters.get(subjectId) !== agent.clusterId) return null;
    return { subjectId, labels: withAgent(labels, agent.agentId) };
  }
}

/** withAgent keeps the labels canonical: sorted by name. */
function withAgent(labels: string, agentId: string): string {
  const entries = Object.entries({ ...(JSON.parse(labels) as Record<string, string>), agent: agentId });
  return JSON.stringify(Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1))));
}
