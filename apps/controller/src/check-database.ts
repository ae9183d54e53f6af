import type { Db } from "@fairlead/db";
import { isMigrated, pingDatabase } from "@fairlead/services";
import { EnvProblem } from "./env.ts";

/** checkDatabase refuses to start on a database that isn't there or isn't ours yet, in one sentence each. */
export async function checkDatabase(db: Db): Promise<void> {
  try {
    await pingDatabase(db);
  } catch (error) {
    throw new EnvProblem(`The database that DATABASE_URL names does not let us in: ${innermostMessage(error)}.`);
  }
  if (!(await isMigrated(db)))
    throw new EnvProblem(
      "The database has not been migrated to this version: run npm start, or apply prisma/migrations.",
    );
}

/** Prisma wraps what PostgreSQL said: Raw query failed. Code: `28P01`. Message: `password authentication failed` */
function innermostMessage(error: unknown): string {
  const message = error instanceof Error ? error.message.trim() : String(error);
  return /Message: `(.+)`$/s.exec(message)?.[1] ?? message;
}
