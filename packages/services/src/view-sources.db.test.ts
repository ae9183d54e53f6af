import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import type { ViewSource } from "@fairlead/db";
import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const files = globSync("**/*.ts", { cwd: import.meta.dirname }).filter((file) => !file.endsWith(".test.ts"));
const textOf = (file: string) => readFileSync(path.join(import.meta.dirname, file), "utf8");
const rowFiles = files.filter((file) => path.basename(file) === "rows.ts");

const isSource = (value: unknown): value is ViewSource =>
  typeof value === "object" && value !== null && "from" in value && "columns" in value;

/** Every view source of the services, by its name. */
async function loadSources(): Promise<[name: string, source: ViewSource][]> {
  const modules: object[] = await Promise.all(rowFiles.map((file) => import(path.join(import.meta.dirname, file))));
  return modules.flatMap((exported) => Object.entries(exported).filter(([, value]) => isSource(value)));
}

const sources = await loadSources();

describe("view sources of the services", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it.each(sources)("%s has only columns that its view has", async (_, { from, columns }) => {
    const rows = await database.db.$queryRaw<{ name: string }[]>`
      SELECT column_name::text AS name FROM information_schema.columns
      WHERE table_schema = 'public' AND table_name = ${from}`;
    const inView = rows.map(({ name }) => name);
    expect(inView).not.toEqual([]);
    expect(columns).not.toEqual([]);
    expect(columns.filter((column) => !inView.includes(column))).toEqual([]);
  });
});

describe("a view source", () => {
  it("is exported by a file rows.ts, so that the test above finds it", () => {
    const calls = files.flatMap((file) => [...textOf(file).matchAll(/\bviewSource\(/g)].map(() => path.basename(file)));
    expect(calls).toEqual(sources.map(() => "rows.ts"));
  });

  it("is the only place for column names: there are no handwritten lists", () => {
    expect(files.filter((file) => /\bcolumns: \[|\] as const satisfies readonly \(keyof/.test(textOf(file)))).toEqual(
      [],
    );
  });
});
