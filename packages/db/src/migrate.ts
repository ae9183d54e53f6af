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

/** migrate applies what prisma/migrations holds and the database has not seen, in the bookkeeping of the Prisma CLI. */
export async function migrate(url: string, folder: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [migrationLock]);
    await client.query(migrationTable);
    const done = await appliedMigrations(client);
    const applied: string[] = [];
    for (const name of await migrationNames(folder)) {
      const sql = await readFile(path.join(folder, name, "migration.sql"), "utf8");
      const checksum = createHash("sha256").update(sql).digest("hex");
      const before = done.get(name);
      if (before && before !== checksum)
        throw new Error(`Migration ${name} was edited after this database applied it; restore the file from git.`);
      if (before) continue;
      await apply(client, name, sql, checksum);
      applied.push(name);
    }
    return applied;
  } finally {
    await client.end();
  }
}

async function migrationNames(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

async function appliedMigrations(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ migration_name: string; checksum: string; finished_at: Date | null }>(
    "SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL",
  );
  const failed = rows.find((row) => !row.finished_at);
  if (failed)
    throw new Error(
      `Migration ${failed.migration_name} failed earlier; look at its row in _prisma_migrations, mend the cause, and run: npx prisma migrate resolve --rolled-back ${failed.migration_name}`,
    );
  return new Map(rows.map((row) => [row.migration_name, row.checksum]));
}

async function apply(client: pg.Client, name: string, sql: string, checksum: string): Promise<void> {
  const id = randomUUID();
  await client.query("INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ($1, $2, $3)", [
    id,
    checksum,
    name,
  ]);
  try {
    await client.query(sql); // one message, so one implicit transaction
  } catch (error) {
    await client.query("UPDATE _prisma_migrations SET logs = $2 WHERE id = $1", [id, String(error)]);
    throw new Error(`Migration ${name} failed: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
  await client.query("UPDATE _prisma_migrations SET finished_at = now(), applied_steps_count = 1 WHERE id = $1", [id]);
}
