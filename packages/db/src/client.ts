import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { PrismaClient } from "./generated/prisma/client.ts";

export type Db = PrismaClient;

export type DbOptions = {
  connections?: number;
  applicationName?: string;
  /** How long one statement may run. For clients that answer people: nobody waits longer, and the query would go on. */
  statementTimeoutMs?: number;
};

/** openDb connects a client. Secret columns are left out of every answer unless a query asks for them by name. */
export function openDb(url: string, options: DbOptions = {}): Db {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.connections ?? 10,
    connectionTimeoutMillis: 10_000,
    application_name: options.applicationName ?? "fairlead",
    ...(options.statementTimeoutMs === undefined ? {} : { statement_timeout: options.statementTimeoutMs }),
  });
  // While a connection goes from the pool to who asked for it nobody listens to it: its loss would end the process.
  pool.on("connect", (connection) => connection.on("error", () => {}));
  const adapter = new PrismaPg(pool, { disposeExternalPool: true });
  return new PrismaClient({
    adapter,
    omit: {
      account: { password: true, accessToken: true, refreshToken: true, idToken: true },
      session: { token: true },
      ssoProvider: { oidcConfig: true, samlConfig: true },
      apiKey: { keyHash: true },
      invitation: { tokenHash: true },
      enrollmentToken: { secretHash: true },
      certificateAuthority: { encryptedKey: true },
    },
  }) as unknown as Db;
}
