import path from "node:path";
import { type Applied, MigrationRefused, migrate } from "@fairlead/db";
import { Refusal } from "../refusal.ts";
import { root } from "../settings.ts";

/** migrateDatabase applies the missing migrations and views, and returns their names. */
export async function migrateDatabase(databaseUrl: string): Promise<Applied> {
  try {
    return await migrate(databaseUrl, path.join(root, "prisma"));
  } catch (error) {
    throw error instanceof MigrationRefused ? new Refusal(error.message, { cause: error }) : error;
  }
}
