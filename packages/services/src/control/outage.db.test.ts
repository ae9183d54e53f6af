import { openDb } from "@fairlead/db";
import { createTestDatabase } from "@fairlead/db/testing";
import { expect, it } from "vitest";
import { describeOutage } from "./outage.ts";

it("stops a statement that takes too long, and reports so", async () => {
  const database = await createTestDatabase();
  const impatient = openDb(database.url, { connections: 1, statementTimeoutMs: 50 });
  const forever = impatient.$queryRaw`SELECT count(*) FROM generate_series(1, 1000000000000)`;
  const error = await forever.catch((reason: unknown) => reason);
  expect(describeOutage(error)).toMatchObject({
    code: "unavailable",
    message: expect.stringContaining("took too long"),
    retryAfterSeconds: 10,
  });
  await impatient.$disconnect();
  await database.drop();
});
