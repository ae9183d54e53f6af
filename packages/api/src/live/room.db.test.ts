import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import type { ServiceContext } from "@fairlead/services";
import { createTestOrganization, createTestUser } from "@fairlead/services/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestApi, type TestApi } from "../testing/index.ts";

let database: TestDatabase;
let api: TestApi;
let ada: ServiceContext;
let bob: ServiceContext;
let carol: ServiceContext;

beforeAll(async () => {
  database = await createTestDatabase();
  const organization = await createTestOrganization(database.db);
  ada = await createTestUser(organization, "viewer", "Ada");
  bob = await createTestUser(organization, "viewer", "Bob");
  carol = await createTestUser(organization, "viewer", "Carol");
  api = createTestApi(organization, { hub: { mostStreams: 3, mostOfActor: 2 } });
});
afterAll(async () => {
  api.close();
  await database.drop();
});

const open = (as: ServiceContext) => api.fetch(as, "/changes");

it("refuses a stream over the limit of a user or of the server before it begins; one that ends makes room", async () => {
  const [first, second] = [await open(ada), await open(ada)];
  expect([first.status, second.status]).toEqual([200, 200]);
  const tooMany = await open(ada);
  expect([tooMany.status, tooMany.headers.get("retry-after")]).toEqual([429, "30"]);
  expect(await tooMany.json()).toMatchObject({ detail: expect.stringContaining("2 live streams open") });
  await expect(api.caller(ada).live.changes()).rejects.toMatchObject({ code: "TOO_MANY_REQUESTS" });

  const third = await open(bob);
  expect(third.status).toBe(200);
  const full = await open(carol);
  expect([full.status, full.headers.get("retry-after")]).toEqual([503, "30"]);

  await first.body?.cancel();
  expect((await open(ada)).status).toBe(200);
  expect(api.faults).toEqual([]);
});
