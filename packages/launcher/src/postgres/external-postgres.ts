import pg from "pg";
import { Refusal } from "../refusal.ts";

const oldestMajor = 15;

/** checkExternal verifies that the PostgreSQL in DATABASE_URL is reachable and new enough. */
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
      `The PostgreSQL at ${where} can't be used (${reason(error)}). Check DATABASE_URL and that the server is running, or unset DATABASE_URL to use the embedded one.`,
    );
  } finally {
    await client.end().catch(() => {});
  }
}

/** describe returns host, port and database without the password. */
function describe(databaseUrl: string): string {
  try {
    const url = new URL(databaseUrl);
    return `${url.hostname}:${url.port || 5432}${url.pathname}`;
  } catch {
    throw new Refusal("DATABASE_URL is not a URL. Use the form postgresql://user:password@host:5432/database");
  }
}

function reason(error: unknown): string {
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return error.errors[0].message;
  return error instanceof Error ? error.message : String(error);
}

/** tooOld returns what is wrong with a server's version, or null. */
export function tooOld(version: { number: number; text: string }): string | null {
  if (version.number >= oldestMajor * 10_000) return null;
  return `version ${version.text}, but Fairlead needs ${oldestMajor} or newer. Upgrade it, or unset DATABASE_URL to use the embedded one.`;
}
