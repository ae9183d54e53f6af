import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { authenticateKey } from "./authenticate-key.ts";
import { metrics } from "./metrics.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Other tests of this process may have counted some. */
async function unknownKeys(): Promise<number> {
  const [, count] = /^fairlead_web_unknown_keys_total (\d+)$/m.exec(await metrics().all.page()) ?? [];
  return Number(count ?? 0);
}

it("counts unknown keys, and logs them once a minute, without the key", async () => {
  const before = await unknownKeys();
  const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const at = (seconds: number) => new Date(Date.UTC(2126, 0, 1) + seconds * 1_000);
  const key = `fl_${"a".repeat(32)}`;
  try {
    for (const [presented, seconds] of [
      [key, 0],
      ["of-another-system", 30],
      [key, 59],
      [key, 60],
    ] as const)
      await expect(authenticateKey(database.db, presented, new Headers(), at(seconds))).rejects.toMatchObject({
        code: "unauthenticated",
      });
    const lines = written.mock.calls.map(([line]) => String(line)).filter((line) => line.includes("unknown API key"));
    expect(lines.map((line) => JSON.parse(line).count)).toEqual([expect.any(Number), 3]);
    expect(lines.join()).not.toMatch(/aaaa|of-another-system/);
  } finally {
    written.mockRestore();
  }
  expect((await unknownKeys()) - before).toBe(4);
});
