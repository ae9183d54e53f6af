import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { MigrationRefused, migrate } from "./migrate.ts";
import { createTestDatabase, migrationsFolder, type TestDatabase } from "./testing/index.ts";

let database: TestDatabase;
let folder: string;
beforeEach(async () => {
  database = await createTestDatabase();
  folder = mkdtempSync(path.join(os.tmpdir(), "fairlead-migrations-"));
});
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  await database.drop();
});

function write(name: string, sql: string): void {
  mkdirSync(path.join(folder, name), { recursive: true });
  writeFileSync(path.join(folder, name, "migration.sql"), sql);
}

const tables = async () => {
  const rows = await database.db.$queryRaw<{ name: string }[]>`
    SELECT relname::text AS name FROM pg_class WHERE relname IN ('first_half', 'second_half') ORDER BY 1`;
  return rows.map((row) => row.name);
};
const recorded = (name: string) => database.db.$queryRaw<{ finished: boolean }[]>`
  SELECT finished_at IS NOT NULL AS finished FROM _prisma_migrations WHERE migration_name = ${name}`;

/** cutOff runs migrate until it waits for what the test holds, and cuts its connection there, as a kill would. */
async function cutOff(hold: string): Promise<void> {
  const holder = new pg.Client({ connectionString: database.url });
  await holder.connect();
  try {
    await holder.query("BEGIN");
    await holder.query(hold);
    const cut = expect(migrate(database.url, folder)).rejects.toThrow();
    await vi.waitFor(
      async () => {
        const cuts = await database.db.$queryRaw<object[]>`
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        expect(cuts).toHaveLength(1);
      },
      { timeout: 10_000 },
    );
    await cut;
  } finally {
    await holder.end();
  }
}

describe("a migration that is cut off", () => {
  const wait = "SELECT pg_advisory_xact_lock(4711);";
  const holdWait = "SELECT pg_advisory_xact_lock(4711)";
  const holdBookkeeping = "LOCK TABLE _prisma_migrations IN SHARE MODE";
  const halves = ["CREATE TABLE first_half (id int);", "CREATE TABLE second_half (id int);"] as const;

  it.each([
    ["before its SQL", [wait, ...halves], holdWait],
    ["in the middle of its SQL", [halves[0], wait, halves[1]], holdWait],
    ["after its SQL, before that is recorded", halves, holdBookkeeping],
  ])("%s leaves nothing, and the next start applies it whole", async (_, sql, hold) => {
    write("1_halves", sql.join("\n"));
    await cutOff(hold);
    expect(await tables()).toEqual([]);
    expect(await recorded("1_halves")).toEqual([]);
    expect(await migrate(database.url, folder)).toEqual(["1_halves"]);
    expect(await tables()).toEqual(["first_half", "second_half"]);
    expect(await recorded("1_halves")).toEqual([{ finished: true }]);
    expect(await migrate(database.url, folder)).toEqual([]);
  });

  const begun = (name: string) => database.db.$executeRaw`
    INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('begun', 'a checksum', ${name})`;

  it("by a version that recorded its beginning is applied as if it had never begun", async () => {
    write("1_halves", halves.join("\n"));
    await begun("1_halves");
    expect(await migrate(database.url, folder)).toEqual(["1_halves"]);
    expect(await recorded("1_halves")).toEqual([{ finished: true }]);
  });

  it("by such a version when all of it was there is refused with the cure", async () => {
    write("1_halves", halves.join("\n"));
    await database.db.$executeRawUnsafe(halves[1]);
    await begun("1_halves");
    const refusal = await migrate(database.url, folder).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(MigrationRefused);
    expect(String(refusal)).toMatch(/"second_half" already exists.*resolve --applied 1_halves/);
    expect(await tables()).toEqual(["second_half"]);
  });
});

describe("a migration", () => {
  it("that fails leaves nothing of itself, and keeps those before it", async () => {
    write("1_good", "CREATE TABLE first_half (id int);");
    write("2_bad", "CREATE TABLE second_half (id int); SELECT 1 / 0;");
    await expect(migrate(database.url, folder)).rejects.toThrow(/2_bad could not be applied \(division by zero\)/);
    expect(await tables()).toEqual(["first_half"]);
    write("2_bad", "CREATE TABLE second_half (id int);");
    expect(await migrate(database.url, folder)).toEqual(["2_bad"]);
  });

  it("that was edited after it was applied is refused", async () => {
    write("1_good", "CREATE TABLE first_half (id int);");
    await migrate(database.url, folder);
    write("1_good", "CREATE TABLE first_half (id bigint);");
    await expect(migrate(database.url, folder)).rejects.toThrow(MigrationRefused);
  });

  it("of ours can run in a transaction", () => {
    const unable = readdirSync(migrationsFolder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .filter(({ name }) => {
        const sql = readFileSync(path.join(migrationsFolder, name, "migration.sql"), "utf8");
        return /\bCONCURRENTLY\b|^\s*(BEGIN|COMMIT|ROLLBACK)\s*;|^\s*VACUUM\b/im.test(sql);
      });
    expect(unable).toEqual([]);
  });
});
