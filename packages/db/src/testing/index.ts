export { createTestDatabase, type TestDatabase } from "./database.ts";
export { EmbeddedPostgres } from "./embedded-postgres.ts";
export { type DurableServer, databaseUrl, prismaFolder, startDurableServer, startTestServer } from "./server.ts";
