import { readFileSync } from "node:fs";
import path from "node:path";
import { createTestDatabase, prismaFolder, type TestDatabase } from "@fairlead/db/testing";
import { exposure as exposureSchema } from "@fairlead/domain/exposure";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ServiceContext } from "../context.ts";
import { createTestExposure, createTestOrganization } from "../testing/index.ts";
import { getExposure, pauseExposure } from "./index.ts";

const migrations = ["20261212000000_adaptive_threshold", "20261213000000_adaptive"].map((name) =>
  readFileSync(path.join(prismaFolder, "migrations", name, "migration.sql"), "utf8"),
);

let database: TestDatabase;
let ctx: ServiceContext;
beforeAll(async () => {
  database = await createTestDatabase();
  ctx = await createTestOrganization(database.db);
});
afterAll(() => database.drop());

it("removes from stored exposures what the strategy adaptive no longer has, so that they can be read", async () => {
  const { id } = (await createTestExposure(ctx)).exposure;
  await pauseExposure(ctx, id);
  const { pausedSpec } = await database.db.exposure.findUniqueOrThrow({ where: { id } });
  const parameters = { poolId: "pool_a" };
  const stored = { ...parameters, replicas: 2, thresholdPercent: 90 };
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
  expect((await read()).error?.issues).toMatchObject(
    places.map((path) => ({ path, keys: ["replicas", "thresholdPercent"] })),
  );
  for (const sql of migrations) await database.db.$executeRawUnsafe(sql.split(";")[0] ?? "");
  const strategy = { type: "adaptive", ...parameters };
  expect((await read()).data).toMatchObject({ strategy, specInEffect: { strategy } });
});
