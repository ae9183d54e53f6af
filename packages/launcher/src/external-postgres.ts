import pg from "pg";
import { Refusal } from "./refusal.ts";

const oldestMajor = 15;

/** checkExternal makes sure that the PostgreSQL of DATABASE_URL answers and is new enough. */
export async function checkExternal(databaseUrl: string): Promise<void> {
  const where = describe(databaseUrl);
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 });
  try {
    await client.connect();
    const { rows } = await client.query<{ number: number; text: string }>(
      "SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS text",
    );
    const problem = rows[0] && tooOld(rows[0]);
    if (problem) throw new Refusal(`The PostgreSQL at ${where} is ${problem}`);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(
      `The PostgreSQL at ${where} can't be used (${reason(error)}): check DATABASE_URL and that the server runs, or unset DATABASE_URL to use the embedded one.`,
    );
  } finally {
    await client.end().catch(() => {});
  }
}

/** describe leaves the password out. */
function describe(databaseUrl: string): string {
  try {
    const url = new URL(databaseUrl);
    return `${url.hostname}:${url.port || 5432}${url.pathname}`;
  } catch {
    throw new Refusal("DATABASE_URL is not a URL: write it as postgresql://user:password@host:5432/database");
  }
}

function reason(error: unknown): string {
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return error.errors[0].message;
  return error instanceof Error ? error.message : String(error);
}

/** tooOld says what is wrong with a server's version, or null. */
export function tooOld(version: { number: number; text: string }): string | null {
  if (version.number >= oldestMajor * 10_000) return null;
  return `version ${version.text}, and Fairlead needs ${oldestMajor} or newer: upgrade it, or unset DATABASE_URL to use the embedded one.`;
}
