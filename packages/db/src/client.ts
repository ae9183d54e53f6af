import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { PrismaClient } from "./generated/prisma/client.ts";
import { statementName } from "./planned-once.ts";
import { secretColumns } from "./secret-columns.ts";

export type Db = PrismaClient;

export type DbOptions = {
  connections?: number;
  applicationName?: string;
  /** Time limit for one statement. For clients that serve users: without it, a query would continue after its request timed out. */
  statementTimeoutMs?: number;
};

/** openDb connects a client. Secret columns are omitted from results unless a query selects them by name. */
export function openDb(url: string, options: DbOptions = {}): Db {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.connections ?? 10,
    connectionTimeoutMillis: 10_000,
    application_name: options.applicationName ?? "fairlead",
    ...(options.statementTimeoutMs === undefined ? {} : { statement_timeout: options.statementTimeoutMs }),
  });
  // Between the pool and its user a connection has no error listener: its loss would end the process.
  pool.on("connect", (connection) => connection.on("error", () => {}));
  const adapter = new PrismaPg(pool, { disposeExternalPool: true, statementNameGenerator: statementName });
  return new PrismaClient({ adapter, omit: secretColumns }) as unknown as Db;
}
