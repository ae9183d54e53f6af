import type { Db } from "@fairlead/db";
import { metricsFrom, sampleWindow } from "@fairlead/domain/series";
import type { AgentIdentity } from "../../identity/identities.sql.ts";
import type { CheckedReport, CheckedSeries } from "../check-report.ts";
import { Carriers } from "./carriers.sql.ts";

/** Metrics that an agent of the role balancer counts for itself; a node may have several such agents. */
const ofAgents: ReadonlySet<string> = new Set(metricsFrom("balancer"));
/** Metrics that only the agent next to a backend counts. */
const ofBackends: ReadonlySet<string> = new Set(metricsFrom("backend"));

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
  readonly #beside: ReadonlySet<string>;

  private constructor(balancers: Map<string, Balancer>, carriers: Carriers, beside: ReadonlySet<string>) {
    this.#balancers = balancers;
    this.#carriers = carriers;
    this.#beside = beside;
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
    const backendIds = reporting.flatMap(({ report }) =>
      report.series.flatMap(({ metric, about }) => (ofBackends.has(metric) ? (about?.backendId ?? []) : [])),
    );
    const beside = await selectBeside(db, agentIds, [...new Set(backendIds)]);
    return new SeriesSubjects(balancers, await Carriers.load(db, agentIds, [...balancerIds]), beside);
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
    const until = balancer ? this.#until(agentId, metric, balancer.id, subjectId) : null;
    if (!balancer || until === null) return null;
    const untilMs = until + graceMs;
    return { subjectId, loadBalancerId: balancer.id, labels: withAgent(labels, agentId), agentId, untilMs };
  }

  #until(agentId: string, metric: string, balancerId: string, subjectId: string): number | null {
    if (!ofBackends.has(metric)) return this.#carriers.until(agentId, balancerId);
    return this.#beside.has(`${agentId} ${subjectId}`) ? Infinity : null;
  }

  /**
   * foreign returns the balancer of a series, by its name, if the agent never had a replica of it. A deleted balancer is
   * none, and neither is one that the agent lost: after an outage it may have carried that for longer than it should.
   */
  foreign(agent: AgentIdentity, { metric, about }: CheckedSeries): string | null {
    // A backend may have left its node before its last figures arrive.
    if (ofBackends.has(metric)) return null;
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

/** selectBeside returns which of these agents have which of these backends on their nodes, as "agent backend". */
async function selectBeside(
  db: Db,
  agentIds: readonly string[],
  backendIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (backendIds.length === 0) return new Set();
  const rows = await db.$queryRaw<{ key: string }[]>`
    SELECT a.id || ' ' || b.id AS key FROM backend b JOIN load_balancer l ON l.id = b.load_balancer_id
    JOIN instance i ON i.cluster_id = l.cluster_id AND i.name = b.instance
    JOIN node o ON o.cluster_id = i.cluster_id AND o.name = i.node_name JOIN agent a ON a.node_id = o.id
    WHERE b.id = ANY(${[...backendIds]}::text[]) AND a.id = ANY(${[...agentIds]}::text[]) AND 'backend' = ANY(a.roles)`;
  return new Set(rows.map((each) => each.key));
}

/** withAgent keeps the labels canonical: sorted by name. */
function withAgent(labels: string, agentId: string): string {
  const entries = Object.entries({ ...(JSON.parse(labels) as Record<string, string>), agent: agentId });
  return JSON.stringify(Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1))));
}
