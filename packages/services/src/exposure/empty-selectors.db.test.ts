import { readFileSync } from "node:fs";
import path from "node:path";
import { createTestDatabase, prismaFolder, type TestDatabase } from "@fairlead/db/testing";
import { exposure as exposureSchema } from "@fairlead/domain/exposure";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ServiceContext } from "../context.ts";
import { createTestExposure, createTestOrganization } from "../testing/index.ts";
import { getExposure } from "./index.ts";

const migration = path.join(prismaFolder, "migrations/20261130000000_empty_selectors/migration.sql");

let database: TestDatabase;
let ctx: ServiceContext;
beforeAll(async () => {
  database = await createTestDatabase();
  ctx = await createTestOrganization(database.db);
});
afterAll(() => database.drop());

it("of workloads that are stored already are removed, so that they can be read", async () => {
  const { id } = (await createTestExposure(ctx)).exposure;
  const workload = { namespace: "default", kind: "deployment", name: "web" };
  await database.db.exposure.update({ where: { id }, data: { workload: { ...workload, selector: {} } } });
  const read = async () => exposureSchema.safeParse(await getExposure(ctx, id));
  expect((await read()).error?.issues).toMatchObject([{ path: ["workload", "selector"] }]);
  await database.db.$executeRawUnsafe(readFileSync(migration, "utf8"));
  expect((await read()).data?.workload).toEqual(workload);
});
