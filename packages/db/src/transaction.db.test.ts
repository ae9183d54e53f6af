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
  it("is repeated when it meets another in a deadlock, also in raw statements", async () => {
    // Both have locked one row before either asks for the other's.
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
    expect(runs).toHaveLength(3);
  });

  it("leaves nothing when it fails, and is not repeated for an error of ours", async () => {
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

/** meeting resolves for the first so many who come, once all of them are there, and at once for later ones. */
function meeting(size: number): () => Promise<void> {
  let come = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  return () => {
    come++;
    if (come === size) resolve();
    return promise;
  };
}
