import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { listLoadBalancers as listInput } from "@fairlead/domain/load-balancer";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createExposure, pauseExposure, resumeExposure } from "../exposure/index.ts";
import { createTestCluster, createTestExposure, createTestOrganization, testSpec } from "../testing/index.ts";
import { listLoadBalancers } from "./index.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it("sorts by address in any form that a provider uses, page by page and both ways, and finds those that serve", async () => {
  const { db } = database;
  const ctx = await createTestOrganization(db);
  const { pool } = await createTestCluster(ctx);
  const sorted = [
    "9.9.9.9",
    "10.0.0.1",
    "192.0.2.1",
    "203.0.113.7",
    "2001:db8::1",
    "2001:db8::10",
    "999.1.1.1",
    "a1b2.elb.amazonaws.com",
    "host:with:colons",
    "Z.example.com",
    null,
  ];
  for (const [n, address] of [...sorted].reverse().entries()) {
    const own = address === "192.0.2.1";
    const strategy = own ? undefined : ({ type: "cloud", provider: "aws" } as const);
    const { id } = await createExposure(ctx, testSpec(pool, { name: `e${n}`, ...(strategy && { strategy }) }));
    const { id: loadBalancerId } = await db.loadBalancer.findFirstOrThrow({ where: { exposureId: id } });
    if (address !== null && !own)
      await db.loadBalancerStatus.create({
        data: { loadBalancerId, phase: "serving", address, observedAt: ctx.now },
      });
  }
  const expected = { asc: sorted, desc: [...sorted].reverse() };
  for (const direction of ["asc", "desc"] as const) {
    const seen: (string | null)[] = [];
    let cursor: string | undefined;
    do {
      const page = await listLoadBalancers(ctx, listInput.parse({ sort: "address", direction, limit: 2, cursor }));
      seen.push(...page.items.map((each) => each.address));
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    expect(seen).toEqual(expected[direction]);
  }
  const count = async (isServing: boolean) =>
    (await listLoadBalancers(ctx, listInput.parse({ isServing, limit: 1 }))).total;
  expect([await count(true), await count(false)]).toEqual([9, 2]);
});

it("has since when its exposure is paused", async () => {
  const ctx = await createTestOrganization(database.db);
  const { exposure } = await createTestExposure(ctx);
  const pausedAt = async () =>
    (await listLoadBalancers(ctx, listInput.parse({ exposureId: exposure.id }))).items.map(
      (each) => each.exposurePausedAt,
    );
  expect(await pausedAt()).toEqual([null]);
  await pauseExposure(ctx, exposure.id);
  expect(await pausedAt()).toEqual([ctx.now]);
  await resumeExposure(ctx, exposure.id);
  expect(await pausedAt()).toEqual([null]);
});
