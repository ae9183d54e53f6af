import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { newId } from "@fairlead/domain";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ServiceContext } from "../context.ts";
import { createTestExposure, createTestNode, createTestOrganization, createTestRouting } from "../testing/index.ts";
import { getLoadBalancer } from "./index.ts";

let database: TestDatabase;
let ctx: ServiceContext;
beforeAll(async () => {
  database = await createTestDatabase();
  ctx = await createTestOrganization(database.db);
});
afterAll(() => database.drop());

it("a replica has the figures of its probes while a speaker of its node reports its announcement", async () => {
  const { db, now } = ctx;
  const { cluster, exposure } = await createTestExposure(ctx);
  const { id: loadBalancerId } = await db.loadBalancer.findFirstOrThrow({ where: { exposureId: exposure.id } });
  const { speakers } = await createTestRouting(ctx, cluster.id, 2);
  const alone = await createTestNode(ctx, cluster.id, { name: "no-speaker", roles: ["balancer"] });
  await db.replica.deleteMany({ where: { loadBalancerId } });
  const places = [...speakers, alone];
  for (const [ordinal, { nodeId, agentId: other }] of places.entries()) {
    const agentId = newId("agent");
    const agent = await db.agent.findUniqueOrThrow({ where: { id: other } });
    await db.agent.create({ data: { ...agent, id: agentId, roles: ["balancer"], certificateSerial: agentId } });
    await db.balancerStatus.create({ data: { agentId, address: "", engine: "nftables", observedAt: now } });
    await db.replica.create({ data: { id: newId("replica"), loadBalancerId, agentId, nodeId, ordinal } });
  }
  const figures = async () => (await getLoadBalancer(ctx, loadBalancerId)).replicas.map((each) => each.probeTraffic);
  expect(await figures()).toEqual([null, null, null]);

  await db.announcement.updateMany({ where: { clusterId: cluster.id }, data: { loadBalancerId } });
  const one = { packetsPerSecond: 10, newConnectionsPerSecond: 5 };
  expect(await figures()).toEqual([one, one, null]);

  const ports = [443, 80].map((port) => ({ port, protocol: "tcp" }));
  await db.exposure.update({ where: { id: exposure.id }, data: { ports } });
  const two = { packetsPerSecond: 20, newConnectionsPerSecond: 10 };
  expect(await figures()).toEqual([two, two, null]);

  const silent = { lastReportAt: new Date(now.getTime() - 3_600_000) };
  await db.nodeStatus.updateMany({ where: { agentId: speakers[0]?.agentId ?? "" }, data: silent });
  expect(await figures()).toEqual([null, two, null]);
});
