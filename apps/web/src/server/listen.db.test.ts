import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { listen } from "./listen.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const notify = () => database.db.$executeRaw`SELECT pg_notify('a_channel', '')`;

it("hears a channel, and hears it again after its connection was cut", async () => {
  let hints = 0;
  let losses = 0;
  const listening = listen(database.url, "a_channel", { hint: () => hints++, lost: () => losses++ });
  await vi.waitFor(() => expect(hints).toBe(1)); // once it listens, for what came before
  await notify();
  await vi.waitFor(() => expect(hints).toBe(2));

  await database.db.$executeRaw`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'fairlead-web-feed'`;
  await vi.waitFor(() => expect([losses, hints]).toEqual([1, 3]), { timeout: 5_000 });
  await notify();
  await vi.waitFor(() => expect(hints).toBe(4));

  await listening.close();
  await notify();
  expect([losses, hints]).toEqual([1, 4]);
});
