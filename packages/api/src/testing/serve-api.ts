import { migrate, openDb } from "@fairlead/db";
import { migrationsFolder, startTestServer } from "@fairlead/db/testing";
import { permissions } from "@fairlead/domain";
import { createApiKey } from "@fairlead/services";
import { ensureAuthority } from "@fairlead/services/gateway";
import { createTestFleet } from "./fleet.ts";
import { serveFetch } from "./serve-fetch.ts";
import { createTestApi } from "./test-api.ts";

/**
 * Serves the REST API alone over a PostgreSQL of its own, for tools that test an API from outside. It prints one line
 * of JSON, {"url", "key"}, where the key may do everything, and runs until its standard input ends.
 */
const server = await startTestServer();
await migrate(server.url, migrationsFolder);
const db = openDb(server.url, { connections: 10 });
const { owner, users } = await createTestFleet(db);
await ensureAuthority(db, owner.settings.secret, new Date());
const { key } = await createApiKey(
  { ...owner, actor: users.owner },
  { name: "tool", role: "owner", scopes: [...permissions], requestsPerMinute: 60_000, expiresAt: null },
);
const api = createTestApi(owner);
const served = await serveFetch(api.handle);
process.stdout.write(`${JSON.stringify({ url: served.url, key })}\n`);

process.stdin.resume();
process.stdin.once("end", async () => {
  await served.close();
  api.close();
  await db.$disconnect();
  await server.stop();
  for (const fault of api.faults) process.stderr.write(`${fault.operation}: ${String(fault.error)}\n`);
});
