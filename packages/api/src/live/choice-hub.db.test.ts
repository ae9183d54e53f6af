import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { choose } from "@fairlead/domain/choice";
import { createTestCluster, createTestNode, createTestOrganization } from "@fairlead/services/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ChoiceHub } from "./choice-hub.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it("reads the fleet once for watchers that choose from different nodes", async () => {
  const ctx = await createTestOrganization(database.db);
  const { cluster } = await createTestCluster(ctx);
  const froms: string[] = [];
  for (const name of ["n1", "n2", "n3"]) froms.push((await createTestNode(ctx, cluster.id, { name })).nodeId);
  let queries = 0;
  const db = new Proxy(ctx.db, {
    get(target, key) {
      if (key === "$queryRaw") queries++;
      const value = Reflect.get(target, key);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const hub = new ChoiceHub({ everyMs: 60_000 });
  const counts: number[] = [];
  for (const from of froms) {
    const before = queries;
    const input = choose.parse({ from, requirements: { latencyMsP99: { atMost: 10 }, headroomMbps: { atLeast: 1 } } });
    const { items } = await hub.make({ ...ctx, db }, input);
    expect(items.map((each) => each.id)).toEqual([cluster.id]);
    counts.push(queries - before);
  }
  expect(counts[0]).toBeGreaterThan(1);
  // Only the round trips of their own node.
  expect(counts.slice(1)).toEqual([1, 1]);
});
