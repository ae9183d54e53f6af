import { openDb } from "@fairlead/db";
import { type DurableServer, startDurableServer } from "@fairlead/db/testing";
import { createCluster, type ServiceContext } from "@fairlead/services";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createTestApi, createTestFleet, readEvents, type TestApi } from "./testing/index.ts";

let server: DurableServer;
let ctx: ServiceContext;
let api: TestApi;

beforeAll(async () => {
  server = await startDurableServer();
  const db = openDb(server.url, { connections: 4 });
  const { owner, users } = await createTestFleet(db);
  ctx = { ...owner, actor: users.owner };
  api = createTestApi(ctx, { recheckMs: 50 });
});
afterAll(async () => {
  api.close();
  await ctx.db.$disconnect();
  await server.stop();
});

it("returns 503 with Retry-After while PostgreSQL is unreachable, loses nothing, and keeps its streams", async () => {
  const events = readEvents(await api.fetch(ctx, "/changes"));
  await events.next();
  const created: string[] = [];
  const statuses = new Set<number>();
  let isOver = false;
  const client = async (name: string) => {
    for (let n = 0; !isOver; n++) {
      const json = { name: `${name}-${n}`, kind: "lab" };
      // Repeated with its key until it succeeds, as a client should.
      for (let status = 0; status !== 201 && !isOver; ) {
        const headers = { "idempotency-key": json.name };
        const response = await api.fetch(ctx, "/clusters", { method: "POST", json, headers });
        status = response.status;
        statuses.add(status);
        if (status === 503) expect(response.headers.get("retry-after")).toBe("2");
        if (status === 201) created.push(json.name);
      }
    }
  };
  const clients = ["a", "b", "c"].map(client);
  await vi.waitFor(() => expect(created.length).toBeGreaterThan(10), { timeout: 60_000 });
  await server.crash();
  await vi.waitFor(() => expect(statuses).toContain(503), { timeout: 60_000 });
  await server.restart();
  const before = created.length;
  await vi.waitFor(() => expect(created.length).toBeGreaterThan(before + 10), { timeout: 60_000 });
  isOver = true;
  await Promise.all(clients);

  expect([...statuses].sort()).toEqual([201, 503]);
  expect(api.faults).toEqual([]);
  const stored = await ctx.db.cluster.findMany({ where: { name: { in: created } }, select: { name: true } });
  expect(stored).toHaveLength(created.length); // each once: the name is unique, and with the key, a repeated request has no effect
  const last = await createCluster(ctx, { name: "last", kind: "lab", region: "", labels: {} });
  const seen = new Set<unknown>();
  for await (const { event, data } of events) {
    expect(["change", "reset"]).toContain(event);
    seen.add(data.subjectId);
    if (data.subjectId === last.id) break;
  }
  expect(seen.size).toBeGreaterThan(10);
});

it("refuses a stream that can't begin", async () => {
  const away = createTestApi({ ...ctx, db: openDb("postgresql://fairlead@127.0.0.1:1/none") });
  const response = await away.fetch(ctx, "/changes");
  expect([response.status, response.headers.get("content-type")]).toEqual([503, "application/problem+json"]);
  expect(away.hub.streamCount).toBe(0);
  away.close();
});
