import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type pg from "pg";
import { MigrationRefused, reasonOf } from "./refused.ts";

/** As the Prisma CLI creates it: both keep the same record. */
export const migrationTable = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL, checksum VARCHAR(64) NOT NULL, finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL, logs TEXT, rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(), applied_steps_count INTEGER NOT NULL DEFAULT 0)`;

export type Migration = { name: string; sql: string; checksum: string; wasBegun: boolean };

/**
 * pendingMigrations lists the folder's migrations that the database has not completed, in order.
 */
export async function pendingMigrations(client: pg.Client, folder: string): Promise<Migration[]> {
  const known = await knownMigrations(client);
  const pending: Migration[] = [];
  for (const name of await migrationNames(folder)) {
    const sql = await readFile(path.join(folder, name, "migration.sql"), "utf8");
    const checksum = createHash("sha256").update(sql).digest("hex");
    const before = known.get(name);
    if (before?.finished && before.checksum !== checksum)
      throw new MigrationRefused(
        `The migration ${name} was edited after this database applied it. Restore the file from git, then start again.`,
      );
    if (!before?.finished) pending.push({ name, sql, checksum, wasBegun: before !== undefined });
  }
  return pending;
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

/** applyMigration runs a migration and records it. The caller opens the transaction and ends it. */
export async function applyMigration(client: pg.Client, migration: Migration): Promise<void> {
  const { name, sql, checksum } = migration;
  try {
    await client.query(sql);
    // The Prisma CLI writes an unfinished row before the migration, and leaves it there when it is
    // killed.
    await client.query("DELETE FROM _prisma_migrations WHERE migration_name = $1 AND finished_at IS NULL", [name]);
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, clock_timestamp(), 1)`,
      [randomUUID(), checksum, name],
    );
  } catch (error) {
    throw new MigrationRefused(whyNot(migration, error), { cause: error });
  }
}

function whyNot({ name, wasBegun }: Migration, error: unknown): string {
  const why = `The migration ${name} could not be applied (${reasonOf(error)}), and the database is unchanged`;
  return wasBegun
    ? `${why}: an earlier run began it and was cut off, so if all of it is there already, run npx prisma migrate resolve --applied ${name}, and start again.`
    : `${why}: fix the cause, then start again.`;
}
