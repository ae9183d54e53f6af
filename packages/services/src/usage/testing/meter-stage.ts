import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { newId } from "@fairlead/domain";
import { hourOf } from "@fairlead/domain/cost";
import type { MetricName } from "@fairlead/domain/series";
import type { ServiceContext } from "../../context.ts";
import { createExposure } from "../../exposure/index.ts";
import { Partitions } from "../../series/partitions.sql.ts";
import { dueRollups, rollUp } from "../../series/roll-up.sql.ts";
import {
  createTestCluster,
  createTestNode,
  createTestOrganization,
  insertTestSamples,
  testSpec,
} from "../../testing/index.ts";
import { meterDue } from "../meter-due.sql.ts";

const hourMs = 3_600_000;
export const minuteMs = 60_000;
/** The beginning of an hour, in the middle of a month. */
export const start = new Date("2026-11-20T10:00:00Z");
export const first = hourOf(start);

export const after = (hours: number, ms = 2 * minuteMs) => new Date(start.getTime() + hours * hourMs + ms);

/** MeterStage is an exposure whose one balancer has two replicas, on a database of its own. */
export type MeterStage = {
  database: TestDatabase;
  ctx: ServiceContext;
  clusterId: string;
  exposureId: string;
  balancerId: string;
  agentIds: string[];
};

export async function setMeterStage(): Promise<MeterStage> {
  const database = await createTestDatabase();
  const ctx = { ...(await createTestOrganization(database.db)), now: start };
  const { cluster, pool } = await createTestCluster(ctx);
  const { id: exposureId } = await createExposure(ctx, testSpec(pool, { labels: { team: "shop" } }));
  const { id: balancerId } = await database.db.loadBalancer.findFirstOrThrow({ where: { exposureId } });
  await database.db.loadBalancer.update({ where: { id: balancerId }, data: { createdAt: start } });
  const agentIds: string[] = [];
  for (const ordinal of [0, 1]) {
    const { nodeId, agentId } = await createTestNode(ctx, cluster.id, { name: `lb-${ordinal}`, roles: ["balancer"] });
    agentIds.push(agentId);
    const id = newId("replica");
    await database.db.replica.upsert({
      where: { loadBalancerId_role_ordinal: { loadBalancerId: balancerId, role: "balancer", ordinal } },
      create: { id, loadBalancerId: balancerId, ordinal, nodeId, agentId },
      update: { nodeId, agentId },
    });
  }
  return { database, ctx, clusterId: cluster.id, exposureId, balancerId, agentIds };
}

type Carried = Partial<Record<MetricName, number>>;
const usual: Carried = { throughputBps: 8e6, connectionsLive: 10, connectionsNewPerSecond: 2 };

/** carry stores replicas' reports of what they carried, for some minutes. */
export async function carry(
  { ctx, balancerId, agentIds }: MeterStage,
  minutes: number,
  { from = start, agents = agentIds, carried = usual } = {},
): Promise<void> {
  const points = (value: number) => Array.from({ length: minutes }, (_, i) => [i * minuteMs + 1_000, value] as const);
  await insertTestSamples(
    { ...ctx, now: from },
    Object.entries(carried).flatMap(([metric, value]) =>
      agents.map((agent) => ({
        ...{ subjectId: balancerId, metric: metric as MetricName, labels: { agent }, points: points(value) },
      })),
    ),
  );
}

/** asCloud turns the balancer into a provider's, which has no replicas of ours. */
export async function asCloud({ database: { db }, balancerId }: MeterStage): Promise<void> {
  await db.replica.deleteMany({ where: { loadBalancerId: balancerId } });
  await db.loadBalancer.update({ where: { id: balancerId }, data: { kind: "cloud" } });
  await db.virtualAddress.deleteMany({ where: { loadBalancerId: balancerId } });
  const status = { phase: "serving", address: "a.elb.example", observedAt: start };
  await db.loadBalancerStatus.create({ data: { loadBalancerId: balancerId, ...status } });
}

/** passTo does what controllers do up to a moment: hours are rolled up half a minute after their last minute is. */
export async function passTo({ database }: MeterStage, now: Date): Promise<number> {
  const partitions = new Partitions();
  for (const at of [new Date(now.getTime() - 45_000), now])
    for (let due = await dueRollups(database.db, at); due.length > 0; due = await dueRollups(database.db, at))
      for (const task of due) await rollUp(database.db, partitions, task, at);
  return meterDue(database.db, now);
}
