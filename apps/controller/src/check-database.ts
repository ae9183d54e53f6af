import type { Db } from "@fairlead/db";
import { isMigrated, pingDatabase } from "@fairlead/services";
import { EnvProblem } from "./env.ts";

/** checkDatabase throws if the database is unreachable or not migrated, with one message each. */
export async function checkDatabase(db: Db): Promise<void> {
  try {
    await pingDatabase(db);
  } catch (error) {
    throw new EnvProblem(`The database in DATABASE_URL rejects the connection: ${innermostMessage(error)}.`);
  }
  if (!(await isMigrated(db)))
    throw new EnvProblem(
      "The database has not been migrated to this version: run npm start, or node packages/launcher/src/migrate.ts.",
    );
}

/** Prisma wraps PostgreSQL's message: Raw query failed. Code: `28P01`. Message: `password authentication failed` */
function innermostMessage(error: unknown): string {
  const message = error instanceof Error ? error.message.trim() : String(error);
  return /Message: `(.+)`$/s.exec(message)?.[1] ?? message;
}
