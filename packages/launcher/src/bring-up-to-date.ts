import path from "node:path";
import { MigrationRefused, migrate } from "@fairlead/db";
import { Refusal } from "./refusal.ts";
import { root } from "./settings.ts";

/** bringUpToDate gives a database every migration of this version, and answers which were new to it. */
export async function bringUpToDate(databaseUrl: string): Promise<string[]> {
  try {
    return await migrate(databaseUrl, path.join(root, "prisma/migrations"));
  } catch (error) {
    throw error instanceof MigrationRefused ? new Refusal(error.message, { cause: error }) : error;
  }
}
