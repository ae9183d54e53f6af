import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import type { ServiceContext } from "../../../context.ts";
import { Partitions } from "../../../series/partitions.sql.ts";
import { SeriesIds } from "../../../series/series-ids.sql.ts";
import { createTestExposure, createTestNode, createTestOrganization, type TestNode } from "../../../testing/index.ts";
import { loadIdentities } from "../../identity/identities.sql.ts";
import { type AgentReport, checkReport } from "../check-report.ts";
import { recordReports } from "../record-reports.ts";

const limits = { series: 2_000, points: 50_000, instances: 3, routes: 1_000, updates: 1_000, transitions: 1_000 };
const nothing: Omit<AgentReport, "sequence" | "sentAt"> = {
  ...{ bootId: "boot", observedRevision: 1, observedDigest: "", configError: "", corrections: 0, droppedReports: 0 },
  ...{
    facts: null,
    version: null,
    roles: [],
    warnings: [],
    echoAddress: null,
    balancer: null,
    backend: null,
    adaptive: null,
    bgp: null,
    events: [],
    inventory: null,
  },
  series: [],
  derived: [],
};

/** FiguresStage is a load balancer of two replicas with a backend, on a database of its own, and what agents report about it. */
export type FiguresStage = {
  database: TestDatabase;
  ctx: ServiceContext;
  clusterId: string;
  balancerId: string;
  backendId: string;
  /** join adds an agent, by default a balancer, without any replica. */
  join: (name: string, roles?: string[]) => Promise<TestNode>;
  /** place moves a replica to an agent, or removes it from its agent. */
  place: (ordinal: number, to: TestNode | null) => Promise<void>;
  /** report stores a report as the gateway does, and returns how many points it rejected. */
  report: (agent: TestNode, fields: Partial<AgentReport>) => Promise<number>;
  /** pointsOf reads the stored points of a subject. */
  pointsOf: (subjectId: string) => Promise<{ agent: string | null; metric: string; value: number }[]>;
};

export async function setFiguresStage(): Promise<FiguresStage> {
  const database = await createTestDatabase();
  const { db } = database;
  const ctx = await createTestOrganization(db);
  const { cluster, exposure } = await createTestExposure(ctx);
  const clusterId = cluster.id;
  const { id: loadBalancerId } = await db.loadBalancer.findFirstOrThrow({ where: { exposureId: exposure.id } });
  const backendId = "bak_1";
  await db.backend.create({
    data: {
      ...{ id: backendId, loadBalancerId, instance: "web-1", protocol: "TCP", address: "10.0.0.1", port: 80 },
      ...{ state: "active", health: "up", observedAt: ctx.now },
    },
  });
  const store = { db, partitions: new Partitions(), seriesIds: new SeriesIds() };
  let sequence = 1;
  return {
    database,
    ctx,
    clusterId,
    balancerId: loadBalancerId,
    backendId,
    join: (name, roles = ["balancer"]) => createTestNode(ctx, clusterId, { name, roles }),
    async place(ordinal, to) {
      const { agentId, nodeId } = to ?? { agentId: null, nodeId: null };
      await db.replica.update({
        where: { loadBalancerId_role_ordinal: { loadBalancerId, role: "balancer", ordinal } },
        data: { agentId, nodeId },
      });
    },
    async report({ agentId }, fields) {
      const [agent] = await loadIdentities(db, [agentId]);
      if (!agent) throw new Error(`There is no agent ${agentId}.`);
      const sent = { ...nothing, sequence: ++sequence, sentAt: new Date(), ...fields };
      const [outcome] = await recordReports(store, [{ agent, report: checkReport(sent, limits, new Date()) }]);
      return outcome?.rejectedPoints ?? 0;
    },
    pointsOf: (subjectId) =>
      db.$queryRaw`
        SELECT agent_id AS agent, metric, value FROM sample JOIN series ON series.id = series_id
        WHERE subject_id = ${subjectId} ORDER BY at, metric, agent_id`,
  };
}

/** figuresOf is a series with points that are so many minutes old. */
export function figuresOf(
  labels: Record<string, string>,
  minutesAgo: readonly number[],
  { value = 8e6, metric = "throughputBps" } = {},
): AgentReport["series"][number] {
  const now = Date.now();
  return { metric, labels, atMs: minutesAgo.map((each) => now - each * 60_000), values: minutesAgo.map(() => value) };
}
