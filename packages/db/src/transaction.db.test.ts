import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "./testing/index.ts";
import { inTransaction } from "./transaction.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  for (const id of ["a", "b"]) await database.db.organization.create({ data: { id, name: "before", slug: id } });
});
afterAll(() => database.drop());

describe("a transaction", () => {
  it("is retried after a deadlock, also in raw statements", async () => {
    // Both have locked one row before either requests the other's.
    const barrier = meeting(2);
    const runs: string[] = [];
    const lockBoth = (name: string, first: string, second: string) =>
      inTransaction(database.db, async (tx) => {
        runs.push(name);
        await tx.$queryRaw`SELECT 1 FROM organization WHERE id = ${first} FOR UPDATE`;
        await barrier();
        await tx.$queryRaw`SELECT 1 FROM organization WHERE id = ${second} FOR UPDATE`;
        return name;
      });
    expect(await Promise.all([lockBoth("one", "a", "b"), lockBoth("two", "b", "a")])).toEqual(["one", "two"]);
    // PostgreSQL aborts one of them. On a busy machine they can deadlock again before the other has its rows.
    expect(runs.length).toBeGreaterThan(2);
  });

  it("leaves nothing when it fails, and is not retried after an error of the application", async () => {
    let runs = 0;
    const work = inTransaction(database.db, async (tx) => {
      runs++;
      await tx.organization.update({ where: { id: "a" }, data: { name: "after" } });
      throw new Error("no");
    });
    await expect(work).rejects.toThrow("no");
    expect(runs).toBe(1);
    expect(await database.db.organization.findUnique({ where: { id: "a" } })).toMatchObject({ name: "before" });
  });
});

/** meeting is a barrier: it resolves once `size` callers have arrived, and immediately for later ones. */
function meeting(size: number): () => Promise<void> {
  let come = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  return () => {
    come++;
    if (come === size) resolve();
    return promise;
  };
}
