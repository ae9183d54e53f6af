import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { float8Array, int4Array, timestamptzArray } from "./binary-array.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it("passes numbers to PostgreSQL exactly", async () => {
  const ints = [0, 1, -1, 2_147_483_647, -2_147_483_648];
  const floats = [0, -0.1, Math.PI, 5e-324, 1.7976931348623157e308, Number.MAX_SAFE_INTEGER];
  const times = [0, 1, 946_684_800_000, 946_684_799_999, Date.parse("2026-11-20T12:34:56.789Z")];
  const [row] = await database.db.$queryRaw<object[]>`
    SELECT ${int4Array(ints)}::int4[] AS ints, ${float8Array(floats)}::float8[] AS floats, ${timestamptzArray(times)}::timestamptz[] AS times`;
  expect(row).toEqual({ ints, floats, times: times.map((at) => new Date(at)) });
});

it("passes an empty array as one", async () => {
  const rows = await database.db.$queryRaw`SELECT cardinality(${int4Array([])}::int4[]) AS size`;
  expect(rows).toEqual([{ size: 0 }]);
});
