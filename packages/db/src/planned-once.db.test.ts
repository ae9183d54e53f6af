import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "./testing/index.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ connections: 1 });
});
afterAll(() => database.drop());

async function kept(): Promise<string[]> {
  const rows = await database.db.$queryRaw<{ statement: string }[]>`SELECT statement FROM pg_prepared_statements`;
  return rows.map((each) => each.statement);
}

it("keeps the plan of a marked statement, and of no other", async () => {
  const { db } = database;
  for (const n of [1, 2]) expect(await db.$queryRaw`/* planned once */ SELECT ${n}::int AS n`).toEqual([{ n }]);
  expect(await db.$queryRaw`SELECT ${3}::int AS n`).toEqual([{ n: 3 }]);
  expect(await kept()).toEqual(["/* planned once */ SELECT $1::int AS n"]);
});

it("keeps two statements with different texts apart", async () => {
  const { db } = database;
  expect(await db.$queryRaw`/* planned once */ SELECT ${"a"}::text AS a`).toEqual([{ a: "a" }]);
  expect(await db.$queryRaw`/* planned once */ SELECT ${"b"}::text AS b`).toEqual([{ b: "b" }]);
});

it("follows a table that changed after the plan was made", async () => {
  const { db } = database;
  await db.$executeRaw`CREATE TABLE planned (n int)`;
  const count = () => db.$queryRaw<{ n: number }[]>`/* planned once */ SELECT count(*)::int AS n FROM planned`;
  for (let i = 0; i < 10; i++) await count();
  await db.$executeRaw`INSERT INTO planned SELECT generate_series(1, 1000)`;
  await db.$executeRaw`ALTER TABLE planned ADD COLUMN more int`;
  expect(await count()).toEqual([{ n: 1000 }]);
});
