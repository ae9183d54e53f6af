export { createTestDatabase, type TestDatabase } from "./database.ts";
export { EmbeddedPostgres } from "./embedded-postgres.ts";
export { type DurableServer, databaseUrl, migrationsFolder, startDurableServer, startTestServer } from "./server.ts";
