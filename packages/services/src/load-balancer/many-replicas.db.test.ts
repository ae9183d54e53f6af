import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { newId } from "@fairlead/domain";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ServiceContext } from "../context.ts";
import { createTestExposure, createTestOrganization } from "../testing/index.ts";
import { getLoadBalancer } from "./index.ts";

let database: TestDatabase;
let ctx: ServiceContext;
beforeAll(async () => {
  database = await createTestDatabase();
  ctx = await createTestOrganization(database.db);
});
afterAll(() => database.drop());

it("shows balancers also if more nodes have an agent of the role adaptive than are listed", async () => {
  const { exposure } = await createTestExposure(ctx);
  const { id: loadBalancerId } = await ctx.db.loadBalancer.findFirstOrThrow({ where: { exposureId: exposure.id } });
  await ctx.db.replica.deleteMany({ where: { loadBalancerId } });
  await ctx.db.replica.createMany({
    data: Array.from({ length: 2_001 }, (_, ordinal) => ({
      ...{ id: newId("replica"), loadBalancerId, role: "adaptive", ordinal },
    })),
  });
  await ctx.db.replica.create({ data: { id: newId("replica"), loadBalancerId, role: "balancer", ordinal: 0 } });
  const { replicas } = await getLoadBalancer(ctx, loadBalancerId);
  expect(replicas.filter(({ role }) => role === "balancer")).toHaveLength(1);
});
