import path from "node:path";
import pg from "pg";
import { applyMigration, migrationTable, pendingMigrations } from "./migrations.ts";
import { createView, dropViews, isCurrent, readViews } from "./views.ts";

// The lock of Prisma's own engine, so that the two never run at once.
const migrationLock = 72_707_369;

/** Applied lists what was new in the database. */
export type Applied = { migrations: string[]; views: string[] };

/**
 * migrate updates a database with a folder that contains migrations/ and views/, such as prisma.
 * All of it is one transaction: a failure or a crash at any point leaves the database unchanged.
 */
export async function migrate(url: string, folder: string): Promise<Applied> {
  const client = new pg.Client({ connectionString: url });
  // A lost connection fails the pending query; without a listener it would also end the process.
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [migrationLock]);
    await client.query(migrationTable);
    return await update(client, folder);
  } finally {
    await client.end().catch(() => {});
  }
}

/** update drops the views first: while a view reads a column, no migration can change its type or drop it. */
async function update(client: pg.Client, folder: string): Promise<Applied> {
  const migrations = await pendingMigrations(client, path.join(folder, "migrations"));
  const views = await readViews(path.join(folder, "views"));
  if (migrations.length === 0 && (await isCurrent(client, views))) return { migrations: [], views: [] };

  try {
    await client.query("BEGIN");
    await dropViews(client);
    for (const migration of migrations) await applyMigration(client, migration);
    for (const view of views) await createView(client, view);
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    throw error;
  }
  return { migrations: migrations.map(({ name }) => name), views: views.map(({ name }) => name) };
}
