import { readFileSync } from "node:fs";
import path from "node:path";
import { createTestDatabase, prismaFolder, type TestDatabase } from "@fairlead/db/testing";
import { exposure as exposureSchema } from "@fairlead/domain/exposure";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ServiceContext } from "../context.ts";
import { createTestExposure, createTestOrganization } from "../testing/index.ts";
import { getExposure, pauseExposure } from "./index.ts";

const migration = path.join(prismaFolder, "migrations/20261212000000_adaptive_threshold/migration.sql");

let database: TestDatabase;
let ctx: ServiceContext;
beforeAll(async () => {
  database = await createTestDatabase();
  ctx = await createTestOrganization(database.db);
});
afterAll(() => database.drop());

it("of exposures that are stored already are removed, so that they can be read", async () => {
  const { id } = (await createTestExposure(ctx)).exposure;
  await pauseExposure(ctx, id);
  const { pausedSpec } = await database.db.exposure.findUniqueOrThrow({ where: { id } });
  const parameters = { replicas: 2, poolId: "pool_a" };
  const stored = { ...parameters, thresholdPercent: 90 };
  await database.db.exposure.update({
    where: { id },
    data: {
      strategy: "adaptive",
      parameters: stored,
      pausedSpec: { ...(pausedSpec as object), strategy: "adaptive", parameters: stored },
    },
  });
  const read = async () => exposureSchema.safeParse(await getExposure(ctx, id));
  const places = [["strategy"], ["specInEffect", "strategy"]];
  expect((await read()).error?.issues).toMatchObject(places.map((path) => ({ path, keys: ["thresholdPercent"] })));
  await database.db.$executeRawUnsafe(readFileSync(migration, "utf8"));
  const strategy = { type: "adaptive", ...parameters };
  expect((await read()).data).toMatchObject({ strategy, specInEffect: { strategy } });
});
