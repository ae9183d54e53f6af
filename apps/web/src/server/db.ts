import { type Db, openDb } from "@fairlead/db";
import { env } from "../env.ts";

// Next.js may load this module several times in one process, but there must be one connection pool.
const kept = globalThis as { fairleadDb?: Db };

const statementTimeoutMs = 10_000;

/** db is the only database client of the web app. */
export function db(): Db {
  kept.fairleadDb ??= openDb(env().databaseUrl, { applicationName: "fairlead-web", statementTimeoutMs });
  return kept.fairleadDb;
}
