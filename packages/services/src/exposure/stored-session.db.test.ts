import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { sessionDefaults, storedSessionDefaults } from "@fairlead/domain/exposure";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestExposure, createTestOrganization } from "../testing/index.ts";
import { getExposure, updateExposure } from "./index.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it("an exposure of the strategy session that an earlier version stored has the defaults", async () => {
  const ctx = await createTestOrganization(database.db);
  const ports = [{ port: 443 }];
  const { exposure, pool } = await createTestExposure(ctx, { ports });
  const parameters = { replicas: 3, poolId: pool.id };
  await database.db.exposure.update({ where: { id: exposure.id }, data: { strategy: "session", parameters } });
  const { strategy, session } = await getExposure(ctx, exposure.id);
  expect(strategy).toEqual({ type: "session", ...parameters, ...storedSessionDefaults });
  expect(storedSessionDefaults.fallbacks).toEqual(["plain"]);
  expect(session).toMatchObject({ message: "Waits for the first key of its cluster.", key: null, backends: [] });
  const longer = { type: "session", replicas: 3, poolId: pool.id, ...sessionDefaults, ticketHours: 48 } as const;
  const changed = await updateExposure(ctx, exposure.id, { strategy: longer });
  expect(changed.strategy).toMatchObject({ ticketHours: 48 });
});
