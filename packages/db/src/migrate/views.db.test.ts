import { rmSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../testing/index.ts";
import { createSchemaFolder, type SchemaFolder } from "../testing/schema-folder.ts";
import { migrate } from "./migrate.ts";
import { MigrationRefused } from "./refused.ts";

let database: TestDatabase;
let folder: SchemaFolder;
beforeEach(async () => {
  database = await createTestDatabase();
  folder = createSchemaFolder();
  folder.writeMigration("1_ship", "CREATE TABLE ship (id int, name text); INSERT INTO ship VALUES (1, 'Ada')");
  folder.writeView("z_ship_view", "CREATE VIEW z_ship_view AS SELECT id, name FROM ship");
  folder.writeView("a_count_view", "CREATE VIEW a_count_view AS SELECT count(*)::int AS count FROM z_ship_view");
  await migrateHere();
});
afterEach(async () => {
  folder.remove();
  await database.drop();
});

const migrateHere = () => migrate(database.url, folder.path);
const select = (from: string) => database.db.$queryRawUnsafe<object[]>(`SELECT * FROM ${from}`);
const viewIds = async () => {
  const views = await database.db.$queryRaw<{ name: string; oid: number }[]>`
    SELECT relname::text AS name, oid::int FROM pg_class
    WHERE relkind = 'v' AND relnamespace = 'public'::regnamespace ORDER BY relname COLLATE "C"`;
  return new Map(views.map(({ name, oid }) => [name, oid]));
};

describe("views", () => {
  it("are created after the views that they read, and those of an earlier version are gone", async () => {
    expect([...(await viewIds()).keys()]).toEqual(["a_count_view", "z_ship_view"]);
    expect(await select("a_count_view")).toEqual([{ count: 1 }]);
  });

  it("are kept while neither they nor the tables change", async () => {
    const before = await viewIds();
    expect(await migrateHere()).toEqual({ migrations: [], views: [] });
    expect(await viewIds()).toEqual(before);
  });

  it("are recreated when the text of one changed, with its readers", async () => {
    folder.writeView("z_ship_view", "CREATE VIEW z_ship_view AS SELECT name FROM ship");
    expect(await migrateHere()).toEqual({ migrations: [], views: ["z_ship_view", "a_count_view"] });
    expect(await select("z_ship_view")).toEqual([{ name: "Ada" }]);
  });

  it("are recreated when one was dropped by hand", async () => {
    await database.db.$executeRaw`DROP VIEW a_count_view`;
    await migrateHere();
    expect(await select("a_count_view")).toEqual([{ count: 1 }]);
  });

  it("are dropped with their file, and views of others are kept", async () => {
    await database.db.$executeRaw`CREATE VIEW others AS SELECT name FROM ship`;
    folder.removeView("a_count_view");
    await migrateHere();
    expect([...(await viewIds()).keys()]).toEqual(["others", "z_ship_view"]);
  });

  it("don't block a migration that changes what they read", async () => {
    folder.writeMigration("2_id", "ALTER TABLE ship ALTER COLUMN id TYPE text");
    expect((await migrateHere()).migrations).toEqual(["2_id"]);
    expect(await select("z_ship_view")).toEqual([{ id: "1", name: "Ada" }]);
  });
});

describe("the database is as it was before", () => {
  async function expectRefused(why: RegExp): Promise<void> {
    const before = await viewIds();
    folder.writeMigration("2_crew", "CREATE TABLE crew (id int)");
    const refusal = await migrateHere().catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(MigrationRefused);
    expect(String(refusal)).toMatch(why);
    expect(await viewIds()).toEqual(before);
    expect(await select("z_ship_view")).toEqual([{ id: 1, name: "Ada" }]);
    expect(await database.db.$queryRaw`SELECT to_regclass('crew')::text AS crew`).toEqual([{ crew: null }]);
    expect(await database.db.$queryRaw`SELECT 1 FROM _prisma_migrations WHERE migration_name = '2_crew'`).toEqual([]);
  }

  it("when a view can't be created", async () => {
    folder.writeView("z_ship_view", "CREATE VIEW z_ship_view AS SELECT id, flag FROM ship");
    await expectRefused(/The view z_ship_view could not be created \(column "flag" does not exist\)/);
  });

  it("when a file doesn't create the view that it is named for", async () => {
    folder.writeView("crew_view", "CREATE VIEW sailor_view AS SELECT id FROM crew");
    await expectRefused(/The view crew_view could not be created \(relation "crew_view" does not exist\)/);
  });

  it("when a view of others reads one that must be dropped", async () => {
    await database.db.$executeRaw`CREATE VIEW others AS SELECT name FROM z_ship_view`;
    await expectRefused(/The views could not be dropped \(.*view others depends on view z_ship_view/);
  });

  it("when views read each other in a circle", async () => {
    folder.writeView("z_ship_view", "CREATE VIEW z_ship_view AS SELECT * FROM a_count_view");
    await expectRefused(/a_count_view, z_ship_view read each other/);
  });

  it("when the folder of views is missing", async () => {
    // An empty folder drops every view. A missing folder is a mistake.
    rmSync(path.join(folder.path, "views"), { recursive: true });
    await expect(migrateHere()).rejects.toThrow(/ENOENT/);
    expect(await select("a_count_view")).toEqual([{ count: 1 }]);
  });
});
