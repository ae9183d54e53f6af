import { PrismaPg } from "@prisma/adapter-pg";
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
  const adapter = new PrismaPg({
    connectionString: url,
    max: options.connections ?? 10,
    connectionTimeoutMillis: 10_000,
    application_name: options.applicationName ?? "fairlead",
    ...(options.statementTimeoutMs === undefined ? {} : { statement_timeout: options.statementTimeoutMs }),
  });
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
