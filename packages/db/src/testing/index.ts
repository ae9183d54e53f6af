export { createTestDatabase, type TestDatabase } from "./database.ts";
export { type DurableServer, databaseUrl, migrationsFolder, startDurableServer, startTestServer } from "./server.ts";
