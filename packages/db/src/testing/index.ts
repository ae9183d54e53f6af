export { createTestDatabase, type TestDatabase } from "./database.ts";
export { databaseUrl, migrationsFolder, startTestServer } from "./server.ts";
