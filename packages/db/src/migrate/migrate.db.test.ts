import pg from "pg";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "../testing/index.ts";
import { createSchemaFolder, type SchemaFolder } from "../testing/schema-folder.ts";
import { migrate } from "./migrate.ts";
import { MigrationRefused } from "./refused.ts";

let database: TestDatabase;
let folder: SchemaFolder;
beforeEach(async () => {
  database = await createTestDatabase();
  folder = createSchemaFolder();
});
afterEach(async () => {
  folder.remove();
  await database.drop();
});

const migrateHere = () => migrate(database.url, folder.path);

const relations = async () => {
  const rows = await database.db.$queryRaw<{ name: string }[]>`
    SELECT relname::text AS name FROM pg_class WHERE relname IN ('first_half', 'second_half', 'half_view') ORDER BY 1`;
  return rows.map((row) => row.name);
};
const recorded = (name: string) => database.db.$queryRaw<{ finished: boolean }[]>`
  SELECT finished_at IS NOT NULL AS finished FROM _prisma_migrations WHERE migration_name = ${name}`;

/** cutOff runs migrate until it waits for the test's lock, and cuts its connection there, like a kill. */
async function cutOff(hold: string): Promise<void> {
  const holder = new pg.Client({ connectionString: database.url });
  await holder.connect();
  try {
    await holder.query("BEGIN");
    await holder.query(hold);
    const cut = expect(migrateHere()).rejects.toThrow();
    await vi.waitFor(
      async () => {
        const cuts = await database.db.$queryRaw<object[]>`
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        expect(cuts).toHaveLength(1);
      },
      { timeout: 60_000 },
    );
    await cut;
  } finally {
    await holder.end();
  }
}

describe("an interrupted migration", () => {
  const wait = "SELECT pg_advisory_xact_lock(4711);";
  const holdWait = "SELECT pg_advisory_xact_lock(4711)";
  const holdBookkeeping = "LOCK TABLE _prisma_migrations IN SHARE MODE";
  const halves = ["CREATE TABLE first_half (id int);", "CREATE TABLE second_half (id int);"] as const;
  const oldView = `CREATE VIEW half_view AS SELECT 1 AS id`;
  const newView = `CREATE VIEW half_view AS SELECT id::text FROM first_half`;

  it.each([
    ["before its SQL", [wait, ...halves], newView, holdWait],
    ["in the middle of its SQL", [halves[0], wait, halves[1]], newView, holdWait],
    ["after its SQL, before that is recorded", halves, newView, holdBookkeeping],
    ["after it was recorded, between the views", halves, `${newView}; ${wait}`, holdWait],
  ])("%s leaves the database as it was, and the next start applies it whole", async (_, sql, view, hold) => {
    folder.writeView("half_view", oldView);
    await migrateHere();
    folder.writeMigration("1_halves", sql.join("\n"));
    folder.writeView("half_view", view);
    await cutOff(hold);
    expect(await relations()).toEqual(["half_view"]);
    expect(await database.db.$queryRaw`SELECT id FROM half_view`).toEqual([{ id: 1 }]);
    expect(await recorded("1_halves")).toEqual([]);
    expect(await migrateHere()).toEqual({ migrations: ["1_halves"], views: ["half_view"] });
    expect(await relations()).toEqual(["first_half", "half_view", "second_half"]);
    expect(await database.db.$queryRaw`SELECT id FROM half_view`).toEqual([]);
    expect(await recorded("1_halves")).toEqual([{ finished: true }]);
    expect(await migrateHere()).toEqual({ migrations: [], views: [] });
  });

  const begun = (name: string) => database.db.$executeRaw`
    INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('begun', 'a checksum', ${name})`;

  it("that was recorded as started is applied from the beginning", async () => {
    folder.writeMigration("1_halves", halves.join("\n"));
    await begun("1_halves");
    expect((await migrateHere()).migrations).toEqual(["1_halves"]);
    expect(await recorded("1_halves")).toEqual([{ finished: true }]);
  });

  it("that was recorded as started but is complete is rejected with the fix", async () => {
    folder.writeMigration("1_halves", halves.join("\n"));
    await database.db.$executeRawUnsafe(halves[1]);
    await begun("1_halves");
    const refusal = await migrateHere().catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(MigrationRefused);
    expect(String(refusal)).toMatch(/"second_half" already exists.*resolve --applied 1_halves/);
    expect(await relations()).toEqual(["second_half"]);
  });
});

describe("a migration", () => {
  it("that fails leaves nothing of itself, nor of the other pending migrations", async () => {
    folder.writeMigration("1_good", "CREATE TABLE first_half (id int);");
    folder.writeMigration("2_bad", "CREATE TABLE second_half (id int); SELECT 1 / 0;");
    await expect(migrateHere()).rejects.toThrow(/2_bad could not be applied \(division by zero\)/);
    expect(await relations()).toEqual([]);
    expect(await recorded("1_good")).toEqual([]);
    folder.writeMigration("2_bad", "CREATE TABLE second_half (id int);");
    expect((await migrateHere()).migrations).toEqual(["1_good", "2_bad"]);
  });

  it("that was edited after it was applied is rejected", async () => {
    folder.writeMigration("1_good", "CREATE TABLE first_half (id int);");
    await migrateHere();
    folder.writeMigration("1_good", "CREATE TABLE first_half (id bigint);");
    await expect(migrateHere()).rejects.toThrow(MigrationRefused);
  });
});

it("of several concurrent starts, one updates the database and the others find it up to date", async () => {
  folder.writeMigration("1_first", "CREATE TABLE first_half (id int); SELECT pg_sleep(0.2);");
  folder.writeView("half_view", "CREATE VIEW half_view AS SELECT id FROM first_half");
  const runs = await Promise.all([migrateHere(), migrateHere(), migrateHere()]);
  expect(runs.toSorted((a, b) => b.views.length - a.views.length)).toEqual([
    { migrations: ["1_first"], views: ["half_view"] },
    { migrations: [], views: [] },
    { migrations: [], views: [] },
  ]);
});
