import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { newId } from "@fairlead/domain";
import { providerKey } from "@fairlead/domain/access";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestOrganization } from "../../testing/index.ts";
import { listSignInProviders } from "./list-sign-in.sql.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it("keeps a provider on the sign-in page when another organisation has many", async () => {
  const own = await createTestOrganization(database.db);
  const other = await createTestOrganization(database.db);
  const rowOf = (organizationId: string, name: string, minute: number) => ({
    id: newId("identityProvider"),
    organizationId,
    providerId: providerKey(organizationId, name),
    name,
    issuer: "https://login.example.com",
    domain: "example.com",
    createdAt: new Date(Date.UTC(2026, 0, 1, 0, minute)),
  });
  const many = Array.from({ length: 30 }, (_, at) => rowOf(other.organizationId, `a${at}`, at));
  await database.db.ssoProvider.createMany({ data: [...many, rowOf(own.organizationId, "works", 40)] });
  const offered = await listSignInProviders(database.db);
  expect(offered).toHaveLength(20);
  expect(offered.at(-1)).toEqual({
    key: providerKey(own.organizationId, "works"),
    name: "works",
    organization: null,
  });
  expect(offered.map(({ name }) => name)).toContain("a0");
});
