import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { createApiKey, revokeApiKey, type ServiceContext } from "@fairlead/services";
import { createTestExposure, createTestOrganization } from "@fairlead/services/testing";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createTestApi, readEvents } from "../testing/index.ts";

let database: TestDatabase;
let owner: ServiceContext;
let exposureId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  owner = await createTestOrganization(database.db);
  const ports = [{ name: "redis", port: 7000, targetPort: 6379 }];
  exposureId = (await createTestExposure(owner, { ports })).exposure.id;
});
afterAll(() => database.drop());

it("a revoked key loses its streams and its long requests within two seconds", async () => {
  const key = await createApiKey(owner, {
    name: "revoked",
    role: "viewer",
    scopes: ["map:read"],
    requestsPerMinute: 600,
    expiresAt: null,
  });
  const strict = createTestApi(owner, { recheckMs: 1_000 });
  const path = `http://fairlead.test/api/v1/exposures/${exposureId}/mappings`;
  const headers = { authorization: `Bearer ${key.key}` };
  const stream = readEvents(
    await strict.handle(new Request(`${path}/stream`, { headers: { ...headers, accept: "text/event-stream" } })),
  );
  const first = (await stream.next()).value;
  const last = stream.next();
  const waiting = strict.handle(new Request(`${path}?wait=60s&after=${first?.id}`, { headers }));
  await vi.waitFor(() => expect(strict.maps.waiterCount).toBe(2));
  const revokedAt = performance.now();
  await revokeApiKey(owner, key.id);
  expect((await last).done).toBe(true);
  expect((await waiting).status).toBe(401);
  expect(performance.now() - revokedAt).toBeLessThan(2_000);
  expect(strict.faults).toEqual([]);
  strict.close();
});
