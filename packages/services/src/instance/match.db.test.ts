import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { newId } from "@fairlead/domain";
import { type MatchInstances, matchInstances as schema } from "@fairlead/domain/instance";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ServiceContext } from "../context.ts";
import { createTestCluster, createTestOrganization } from "../testing/index.ts";
import { matchInstances } from "./index.ts";
import { writeInstances } from "./write-instances.sql.ts";

let database: TestDatabase;
let ctx: ServiceContext;
let clusterId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  ctx = await createTestOrganization(database.db);
  clusterId = (await createTestCluster(ctx)).cluster.id;
  const instances = [
    ...Array.from({ length: 12 }, (_, i) => pod(`shop/web-${i + 10}`, "deployment shop/web", i > 1)),
    pod("shop/db-0", "stateful-set shop/db", true, { tier: "data" }),
    pod("other/web-0", "deployment other/web", true, { tier: "data" }),
    pod("lab-0", "cache", false),
  ];
  await writeInstances(
    database.db,
    { organizationId: ctx.organizationId, clusterId, source: newId("agent"), instances },
    ctx.now,
  );
});
afterAll(() => database.drop());

function pod(name: string, workload: string, ready: boolean, labels: Record<string, string> = {}) {
  return { name, workload, ready, labels, nodeName: "node-1", addresses: ["10.1.0.1"], weight: 1 };
}

const match = (workload: object, by = ctx) => matchInstances(by, schema.parse({ clusterId, workload }));

it.each<[string, MatchInstances["workload"], object]>([
  ["a Deployment", { namespace: "shop", kind: "deployment", name: "web" }, { total: 12, readyCount: 10 }],
  ["a workload of another kind", { namespace: "shop", kind: "daemon-set", name: "web" }, { total: 0, readyCount: 0 }],
  [
    "a workload that an agent reports",
    { namespace: "default", kind: "deployment", name: "cache" },
    { total: 1, readyCount: 0 },
  ],
  [
    "labels in a namespace",
    { namespace: "shop", kind: "selector", selector: { tier: "data" } },
    { total: 1, readyCount: 1 },
  ],
])("counts the instances of %s", async (_, workload, want) => {
  expect(await match(workload)).toMatchObject(want);
});

it("shows the first ten by name", async () => {
  const { items } = await match({ namespace: "shop", kind: "deployment", name: "web" });
  expect(items.map(({ name }) => name)).toEqual(Array.from({ length: 10 }, (_, i) => `shop/web-${i + 10}`));
  expect(items[0]).toMatchObject({ ready: false, nodeName: "node-1", address: "10.1.0.1" });
});

it("refuses a cluster of another organisation", async () => {
  const other = await createTestOrganization(database.db);
  await expect(match({ kind: "deployment", name: "web" }, other)).rejects.toMatchObject({ code: "not-found" });
});
