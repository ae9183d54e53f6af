import { type CloudRoute, cloudRoute } from "@fairlead/domain/cloud";
import { CloudRefused, type CloudRouteDriver } from "@fairlead/drivers";
import { fakeCloudRoute, MemoryCloud } from "@fairlead/drivers/testing";
import { createExposure, markDirty } from "@fairlead/services";
import { createTestCluster, testSpec } from "@fairlead/services/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Stage, setStage } from "../../testing/stage.ts";
import { until } from "../../testing/until.ts";
import { cloudRouteReconciler } from "./index.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.close());

const settings: CloudRoute = cloudRoute.parse({
  provider: "aws",
  method: "route",
  region: "eu-central-1",
  routeTables: ["rtb-0123456789abcdef0"],
});

it("records where addresses lead before it reads the checks of servers, which may fail", async () => {
  const { db } = stage.database;
  const { cluster, pool } = await createTestCluster(stage.ctx);
  const strategy = { type: "session", poolId: pool.id } as const;
  const { id: exposureId } = await createExposure(stage.ctx, testSpec(pool, { ports: [{ port: 443 }], strategy }));
  const { id: loadBalancerId } = await db.loadBalancer.findFirstOrThrow({ where: { exposureId } });
  await db.backend.create({
    data: {
      ...{ id: "bak_1", loadBalancerId, instance: "web-1", protocol: "tcp", address: "10.0.0.1", port: 443 },
      ...{ state: "active", health: "up", observedAt: stage.ctx.now },
    },
  });
  await db.cloudRoute.create({ data: { clusterId: cluster.id, settings, credentials: "sealed" } });
  const refusing: CloudRouteDriver = {
    ...fakeCloudRoute(new MemoryCloud()),
    checked: () => Promise.reject(new CloudRefused("DescribeNetworkInterfaces isn't allowed")),
  };
  const parts = {
    box: { open: () => ({ accessKeyId: "", secretAccessKey: "" }) },
    presence: { lastsMs: () => 60_000 },
  };
  await stage.loop({ reconcilers: [cloudRouteReconciler(() => refusing, parts)] });
  await markDirty(db, "cloud-route", cluster.id);
  const task = () => db.reconcileTask.findFirst({ where: { kind: "cloud-route", objectId: cluster.id } });
  await until("the checks fail", async () => (await task())?.lastError?.includes("isn't allowed") ?? false);
  expect(await db.cloudAddress.findMany({ where: { loadBalancerId } })).toMatchObject([
    { state: "unserved", observedAt: expect.any(Date) },
  ]);
});
