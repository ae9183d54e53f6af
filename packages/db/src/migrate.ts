import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";

// The lock that Prisma's own engine takes, so that the two never run at once.
const migrationLock = 72_707_369;

const migrationTable = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL, checksum VARCHAR(64) NOT NULL, finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL, logs TEXT, rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(), applied_steps_count INTEGER NOT NULL DEFAULT 0)`;

/** MigrationRefused says why a database can't be brought up to date, and what its owner can do, in one sentence. */
export class MigrationRefused extends Error {
  override name = "MigrationRefused";
}

/**
 * migrate applies what prisma/migrations holds and the database has not seen, in the bookkeeping of the Prisma CLI.
 * A migration and its row there are one transaction: whenever it is cut short, there are both or neither.
 */
export async function migrate(url: string, folder: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  // A connection that is cut fails the query that waits on it; without a listener it would end the process as well.
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [migrationLock]);
    await client.query(migrationTable);
    const known = await knownMigrations(client);
    const applied: string[] = [];
    for (const name of await migrationNames(folder)) {
      const sql = await readFile(path.join(folder, name, "migration.sql"), "utf8");
      const checksum = createHash("sha256").update(sql).digest("hex");
      const before = known.get(name);
      if (before?.finished && before.checksum !== checksum)
        throw new MigrationRefused(
          `The migration ${name} was edited after this database applied it: restore the file from git, then start again.`,
        );
      if (before?.finished) continue;
      await apply(client, { name, sql, checksum, wasBegun: before !== undefined });
      applied.push(name);
    }
    return applied;
  } finally {
    await client.end().catch(() => {});
  }
}

async function migrationNames(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

type Known = { checksum: string; finished: boolean };

async function knownMigrations(client: pg.Client): Promise<Map<string, Known>> {
  const { rows } = await client.query<Known & { name: string }>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished FROM _prisma_migrations
     WHERE rolled_back_at IS NULL ORDER BY finished_at IS NOT NULL`,
  );
  return new Map(rows.map(({ name, ...known }) => [name, known]));
}

type Migration = { name: string; sql: string; checksum: string; wasBegun: boolean };

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  const { name, sql, checksum } = migration;
  try {
    await client.query("BEGIN");
    await client.query(sql);
    // A row without an end is of a version that wrote it ahead of the migration, and was killed.
    await client.query("DELETE FROM _prisma_migrations WHERE migration_name = $1 AND finished_at IS NULL", [name]);
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, clock_timestamp(), 1)`,
      [randomUUID(), checksum, name],
    );
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    throw new MigrationRefused(whyNot(migration, error), { cause: error });
  }
}

function whyNot({ name, wasBegun }: Migration, error: unknown): string {
  const why = `The migration ${name} could not be applied (${error instanceof Error ? error.message : String(error)}), and the database is as it was before`;
  return wasBegun
    ? `${why}: an earlier version began it and was cut off, so if all of it is there already, run npx prisma migrate resolve --applied ${name}, and start again.`
    : `${why}: mend the cause, then start again.`;
}
