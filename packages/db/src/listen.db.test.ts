import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { listen } from "./listen.ts";
import { createTestDatabase, type TestDatabase } from "./testing/index.ts";

describe("listen", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it("receives notifications, and reconnects after its connection was cut", async () => {
    const received: string[] = [];
    const connected = vi.fn();
    const lost = vi.fn();
    const listener = await listen({
      url: database.url,
      channels: ["a_channel"],
      onNotification: (channel, payload) => received.push(`${channel} ${payload}`),
      onConnected: connected,
      onLost: lost,
      applicationName: "listener-under-test",
    });
    expect(connected).toHaveBeenCalledTimes(1);
    await database.db.$executeRaw`SELECT pg_notify('a_channel', 'one')`;
    await vi.waitFor(() => expect(received).toEqual(["a_channel one"]), { timeout: 60_000 });

    await database.db
      .$executeRaw`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'listener-under-test'`;
    await vi.waitFor(() => expect(connected).toHaveBeenCalledTimes(2), { timeout: 60_000 });
    expect(lost).toHaveBeenCalledTimes(1);
    await database.db.$executeRaw`SELECT pg_notify('a_channel', 'two')`;
    await vi.waitFor(() => expect(received).toEqual(["a_channel one", "a_channel two"]), { timeout: 60_000 });
    await listener.stop();
    expect(lost).toHaveBeenCalledTimes(1);
  });
});
