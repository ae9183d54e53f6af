import type { Db } from "@fairlead/db";
import { metricsFrom, sampleWindow } from "@fairlead/domain/series";
import type { AgentIdentity } from "../../identity/identities.sql.ts";
import type { CheckedReport, CheckedSeries } from "../check-report.ts";
import { Carriers } from "./carriers.sql.ts";

/** Metrics that an agent of the role balancer counts for itself; a node may have several such agents. */
const ofAgents: ReadonlySet<string> = new Set(metricsFrom("balancer"));

/**
 * For how long an agent may report about a balancer after it lost its replica: until it has the config without it, and as
 * far as clocks may differ.
 */
const graceMs = sampleWindow.futureMs;

type Received = { agent: AgentIdentity; report: CheckedReport };
type Balancer = { id: string; name: string; clusterId: string };

/**
 * A subject with the labels of its series. Only samples that are not later than untilMs belong to it: then its agent lost
 * the load balancer, which is null where it is about the node.
 */
export type SeriesSubject = {
  subjectId: string;
  loadBalancerId: string | null;
  labels: string;
  agentId: string | null;
  untilMs: number;
};

/**
 * SeriesSubjects holds which balancers and backends the series of a batch may be about: those that the agent has a replica
 * of, and as far back as it had one. Reports of several replicas about one balancer are several series of it,
 * distinguished by the label agent.
 */
export class SeriesSubjects {
  readonly #balancers: Map<string, Balancer>;
  readonly #carriers: Carriers;

  private constructor(balancers: Map<string, Balancer>, carriers: Carriers) {
    this.#balancers = balancers;
    this.#carriers = carriers;
  }

  static async load(db: Db, received: readonly Received[]): Promise<SeriesSubjects> {
    const reporting = received.filter(({ report }) => report.series.some(({ about }) => about));
    const named = reporting.flatMap(({ report }) => report.series.flatMap(({ about }) => about ?? []));
    const balancers = await selectBalancers(db, {
      balancerIds: [...new Set(named.map((each) => each.loadBalancerId))],
      backendIds: [...new Set(named.flatMap((each) => each.backendId ?? []))],
    });
    const agentIds = [...new Set(reporting.map(({ agent }) => agent.agentId))];
    const balancerIds = new Set([...balancers.values()].map((each) => each.id));
    return new SeriesSubjects(balancers, await Carriers.load(db, agentIds, [...balancerIds]));
  }

  /** of returns the subject of a series, or null where the agent may not report about it. */
  of(agent: AgentIdentity, { metric, labels, about }: CheckedSeries): SeriesSubject | null {
    const { agentId, nodeId } = agent;
    if (!about)
      return {
        ...{ subjectId: nodeId, loadBalancerId: null, untilMs: Infinity },
        ...(ofAgents.has(metric) ? { labels: withAgent(labels, agentId), agentId } : { labels, agentId: null }),
      };
    const subjectId = about.backendId ?? about.loadBalancerId;
    const balancer = this.#balancers.get(subjectId);
    const until = balancer ? this.#carriers.until(agentId, balancer.id) : null;
    if (!balancer || until === null) return null;
    const untilMs = until + graceMs;
    return { subjectId, loadBalancerId: balancer.id, labels: withAgent(labels, agentId), agentId, untilMs };
  }

  /**
   * foreign returns the balancer of a series, by its name, if the agent never had a replica of it. A deleted balancer is
   * none, and neither is one that the agent lost: after an outage it may have carried that for longer than it should.
   */
  foreign(agent: AgentIdentity, { about }: CheckedSeries): string | null {
    const balancer = about && this.#balancers.get(about.backendId ?? about.loadBalancerId);
    if (!balancer || this.#carriers.until(agent.agentId, balancer.id) !== null) return null;
    return balancer.clusterId === agent.clusterId ? balancer.name : balancer.id;
  }
}

/** selectBalancers returns balancers by their own ids and by those of their backends. */
async function selectBalancers(
  db: Db,
  { balancerIds, backendIds }: { balancerIds: string[]; backendIds: string[] },
): Promise<Map<string, Balancer>> {
  if (balancerIds.length + backendIds.length === 0) return new Map();
  const rows = await db.$queryRaw<(Balancer & { subjectId: string })[]>`
    SELECT id AS "subjectId", id, name, cluster_id AS "clusterId" FROM load_balancer WHERE id = ANY(${balancerIds}::text[])
    UNION ALL
    SELECT b.id, l.id, l.name, l.cluster_id FROM backend b JOIN load_balancer l ON l.id = b.load_balancer_id
    WHERE b.id = ANY(${backendIds}::text[])`;
  return new Map(rows.map(({ subjectId, ...balancer }) => [subjectId, balancer]));
}

/** withAgent keeps the labels canonical: sorted by name. */
function withAgent(labels: string, agentId: string): string {
  const entries = Object.entries({ ...(JSON.parse(labels) as Record<string, string>), agent: agentId });
  return JSON.stringify(Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1))));
}
