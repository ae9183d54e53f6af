import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { orderViews } from "./order-views.ts";
import { MigrationRefused, reasonOf } from "./refused.ts";

export type View = { name: string; sql: string; mark: string };

// The comment on each of our views in the database: it identifies our views and the text that they
// were created from.
const markPrefix = "fairlead:";

/**
 * readViews reads a folder of views, one per file and named like it, in an order in which they can
 * be created.
 */
export async function readViews(folder: string): Promise<View[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".sql"));
  const views = files.map(async (file) => {
    const sql = await readFile(path.join(folder, file), "utf8");
    return {
      name: path.basename(file, ".sql"),
      sql,
      mark: `${markPrefix}${createHash("sha256").update(sql).digest("hex")}`,
    };
  });
  return orderViews(await Promise.all(views));
}

/** isCurrent returns whether the database has exactly these views, each created from this text. */
export async function isCurrent(client: pg.Client, views: readonly View[]): Promise<boolean> {
  const marks = new Map((await ownViews(client)).map(({ name, mark }) => [name, mark]));
  return marks.size === views.length && views.every(({ name, mark }) => marks.get(name) === mark);
}

/** dropViews drops all of our views, of any version, and no others. */
export async function dropViews(client: pg.Client): Promise<void> {
  const names = (await ownViews(client)).map(({ name }) => pg.escapeIdentifier(name));
  if (names.length === 0) return;
  try {
    // One statement: PostgreSQL finds the order, and refuses if a view that isn't ours reads one of them.
    await client.query(`DROP VIEW ${names.join(", ")}`);
  } catch (error) {
    throw new MigrationRefused(
      `The views could not be dropped (${reasonOf(error)}), and the database is as it was before: fix the cause, then start again.`,
      { cause: error },
    );
  }
}

export async function createView(client: pg.Client, { name, sql, mark }: View): Promise<void> {
  try {
    await client.query(sql);
    await client.query(`COMMENT ON VIEW ${pg.escapeIdentifier(name)} IS ${pg.escapeLiteral(mark)}`);
  } catch (error) {
    throw new MigrationRefused(
      `The view ${name} could not be created (${reasonOf(error)}), and the database is as it was before: fix the cause, then start again.`,
      { cause: error },
    );
  }
}

async function ownViews(client: pg.Client): Promise<{ name: string; mark: string }[]> {
  const { rows } = await client.query<{ name: string; mark: string }>(
    `SELECT relname AS name, obj_description(oid, 'pg_class') AS mark FROM pg_class
     WHERE relkind = 'v' AND relnamespace = current_schema()::regnamespace
       AND starts_with(obj_description(oid, 'pg_class'), $1)`,
    [markPrefix],
  );
  return rows;
}
