import { type Db, openDb } from "@fairlead/db";
import { env } from "../env.ts";

// Next.js may load this module several times in one process; the pool of connections must be one all the same.
const kept = globalThis as { fairleadDb?: Db };

const statementTimeoutMs = 10_000;

/** db is the web's one client of the database. */
export function db(): Db {
  kept.fairleadDb ??= openDb(env().databaseUrl, { applicationName: "fairlead-web", statementTimeoutMs });
  return kept.fairleadDb;
}
