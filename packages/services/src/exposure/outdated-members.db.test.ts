import { readFileSync } from "node:fs";
import path from "node:path";
import { createTestDatabase, prismaFolder, type TestDatabase } from "@fairlead/db/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ServiceContext } from "../context.ts";
import { createTestCluster, createTestOrganization, createTestRotation } from "../testing/index.ts";

const migration = path.join(prismaFolder, "migrations/20261212000000_outdated_ticket_keys/migration.sql");

let database: TestDatabase;
let ctx: ServiceContext;
beforeAll(async () => {
  database = await createTestDatabase();
  ctx = await createTestOrganization(database.db);
});
afterAll(() => database.drop());

it("of rotations that are stored already keep since when they lack the newest keys, in their order", async () => {
  const { db } = database;
  const { pool } = await createTestCluster(ctx);
  const { id: exposureId } = await createTestRotation(ctx, pool);
  const member = { kind: "server", revision: 2, epoch: 1, name: "" };
  const since = ctx.now.toISOString();
  const before = [
    { ...member, id: "web-2", lagsSince: since },
    { ...member, id: "web-1", lagsSince: null },
    { ...member, id: "web-3", outdatedSince: since },
  ];
  await db.ticketRotation.update({ where: { exposureId }, data: { members: before } });
  const { id: emptyId } = await createTestRotation(ctx, pool, { name: "empty" });
  await db.ticketRotation.update({ where: { exposureId: emptyId }, data: { members: [] } });
  for (let times = 0; times < 2; times++) await db.$executeRawUnsafe(readFileSync(migration, "utf8"));
  const membersOf = async (id: string) =>
    (await db.ticketRotation.findUniqueOrThrow({ where: { exposureId: id } })).members;
  expect(await membersOf(exposureId)).toEqual([
    { ...member, id: "web-2", outdatedSince: since },
    { ...member, id: "web-1", outdatedSince: null },
    { ...member, id: "web-3", outdatedSince: since },
  ]);
  expect(await membersOf(emptyId)).toEqual([]);
});
