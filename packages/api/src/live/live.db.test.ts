import { setTimeout as sleep } from "node:timers/promises";
import { createTestDatabase, startTestServer, type TestDatabase } from "@fairlead/db/testing";
import { newId } from "@fairlead/domain";
import type { Actor } from "@fairlead/domain/access";
import type { FeedEntry } from "@fairlead/domain/event";
import { appendFeed, createApiKey, revokeApiKey, type ServiceContext, switchOrganization } from "@fairlead/services";
import { createTestOrganization } from "@fairlead/services/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Identity } from "../context.ts";
import { createTestApi, readEvents, type StreamEvent, type TestApi } from "../testing/index.ts";
import { currentCursor } from "./current-cursor.ts";

let server: Awaited<ReturnType<typeof startTestServer>>;
let database: TestDatabase;
let api: TestApi;
let ctx: ServiceContext;

beforeAll(async () => {
  // A dedicated server: transactions of other databases on a shared one would hold the cursor back.
  server = await startTestServer();
  database = await createTestDatabase({ connections: 12, serverUrl: server.url });
});
beforeEach(async () => {
  ctx = await createTestOrganization(database.db);
  ctx = { ...ctx, actor: await signIn("owner") };
  api = createTestApi(ctx, { recheckMs: 60 });
});
afterEach(() => api.close());
afterAll(async () => {
  await database.drop();
  await server.stop();
});

async function signIn(role: "owner" | "viewer"): Promise<Actor> {
  const id = newId("member");
  const { db, organizationId } = ctx;
  await db.user.create({ data: { id, name: id, email: `${id}@example.com` } });
  await db.member.create({ data: { id, organizationId, userId: id, role } });
  await db.session.create({ data: { id, token: id, userId: id, expiresAt: new Date(Date.now() + 3_600_000) } });
  return { kind: "user", id, name: id, role, sessionId: id };
}

async function switchElsewhere(): Promise<void> {
  const { organizationId } = await createTestOrganization(database.db);
  const { id } = ctx.actor;
  await ctx.db.member.create({ data: { id: newId("member"), organizationId, userId: id, role: "owner" } });
  await switchOrganization(ctx, { organizationId });
}

const entry = (subjectId: string): FeedEntry => ({ subjectKind: "exposure", subjectId, clusterId: null });
const write = (subjectId: string) => appendFeed(ctx.db, ctx.organizationId, [entry(subjectId)]);

async function open(after?: string, as: Identity = ctx): Promise<AsyncGenerator<StreamEvent, void>> {
  const response = await api.fetch(as, "/changes", after ? { headers: { "last-event-id": after } } : {});
  expect(response.status).toBe(200);
  return readEvents(response);
}

/** Reads until `isLast`, then cuts the stream. */
async function readUntil(events: AsyncGenerator<StreamEvent, void>, isLast: (event: StreamEvent) => boolean) {
  const seen: StreamEvent[] = [];
  for await (const event of events) {
    seen.push(event);
    if (isLast(event)) break;
  }
  return seen;
}
const subjectsOf = (events: StreamEvent[]) =>
  events.flatMap((each) => (each.event === "change" ? [String(each.data.subjectId)] : []));
const is = (subjectId: string) => (event: StreamEvent) => event.data.subjectId === subjectId;

describe("a live stream", () => {
  it("starts with a cursor and reports changes from then on", async () => {
    await write("before");
    const events = await open();
    expect((await events.next()).value).toMatchObject({ event: "ready", id: expect.stringMatching(/^\d+\.\w+$/) });
    await write("after");
    expect((await events.next()).value).toMatchObject({ event: "change", data: entry("after") });
    await events.return();
    expect(api.hub.streamCount).toBe(0);
  });

  it("resumes where a page took its cursor, so that changes the page missed are delivered", async () => {
    await write("seen by the page");
    const cursor = await currentCursor({ db: ctx.db, now: new Date() });
    await write("missed by the page");
    const seen = await readUntil(await open(cursor), is("missed by the page"));
    expect(seen[0]).toMatchObject({ event: "ready" });
    expect(subjectsOf(seen)).not.toContain("seen by the page");
  });

  it("misses nothing while many transactions of different length write and the reader is cut again and again", async () => {
    let after = (await readUntil(await open(), (event) => event.event === "ready"))[0]?.id;
    const written: string[] = [];
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let n = 0; n < 25; n++) {
        const subjectId = `w${writer}-${n}`;
        const pause = ((writer * 7 + n * 3) % 10) * 0.004;
        await database.db.$transaction(async (tx) => {
          await appendFeed(tx, ctx.organizationId, [entry(subjectId)]);
          await tx.$queryRaw`SELECT pg_sleep(${pause})::text`; // so that transactions end in another order than they began
        });
        written.push(subjectId);
      }
    });
    const everything = Promise.all(writers).then(() => write("last"));

    const seen = new Set<string>();
    for (let cuts = 0; !seen.has("last"); cuts++) {
      let left = cuts % 9;
      const part = await readUntil(await open(after), (event) => left-- <= 0 || event.data.subjectId === "last");
      for (const subject of subjectsOf(part)) seen.add(subject);
      after = part.at(-1)?.id ?? after;
    }
    await everything;
    expect(written.filter((subject) => !seen.has(subject))).toEqual([]);
  });

  it("does not wait for another client's long transaction, and still delivers its change", async () => {
    const events = await open();
    await events.next();
    let commit = () => {};
    const held = new Promise<void>((resolve) => {
      commit = resolve;
    });
    let began = () => {};
    const beginning = new Promise<void>((resolve) => {
      began = resolve;
    });
    const long = database.db.$transaction(async (tx) => {
      await appendFeed(tx, ctx.organizationId, [entry("long")]);
      began();
      await held;
    });
    await beginning;
    await write("short");
    const change = (await events.next()).value;
    expect(change?.data.subjectId).toBe("short");
    // A client that is cut here has no cursor past the long transaction.
    await events.return();
    commit();
    await long;
    const again = await readUntil(await open(change?.id), is("long"));
    expect(subjectsOf(again)).toContain("long");
  });

  it("sends a reset to a client that was away too long or has a cursor of another database", async () => {
    const hourAgo = (Date.now() - 2 * 3_600_000).toString(36);
    const now = Date.now().toString(36);
    for (const after of ["nonsense", `1.${hourAgo}`, `${2n ** 62n}.${now}`, `99999999999999999999.${now}`]) {
      const events = await open(after);
      expect((await events.next()).value, after).toMatchObject({ event: "reset" });
      await events.return();
    }
  });

  it("sends a reset to a client that is too slow, and buffers no more than its share", async () => {
    const { subscriber } = await api.hub.subscribe(ctx.organizationId, ctx.actor.id);
    for (let n = 0; n < 30; n++)
      subscriber.push({
        entries: Array.from({ length: 100 }, (_, i) => ({ ...entry(`${n}-${i}`), transaction: 1n })),
        settledBefore: 1n,
      });
    const signal = new AbortController().signal;
    expect(await subscriber.next(0, signal)).toEqual({ kind: "overflow" });
    expect(await subscriber.next(0, signal)).toEqual({ kind: "idle" });
    api.hub.unsubscribe(subscriber);
  });

  it("shows no object without its read permission, nor anything of another organisation", async () => {
    const viewer = { ...ctx, actor: await signIn("viewer") };
    const otherOwner = await createTestOrganization(database.db);
    const events = await open(undefined, viewer);
    await events.next();
    await appendFeed(ctx.db, otherOwner.organizationId, [entry("foreign")]);
    await appendFeed(ctx.db, ctx.organizationId, [{ subjectKind: "api-key", subjectId: "secret", clusterId: null }]);
    await write("end");
    expect(subjectsOf(await readUntil(events, is("end")))).toEqual(["end"]);
  });

  it("announces the end of a session, and ends", async () => {
    const events = await open();
    await events.next();
    await ctx.db.session.deleteMany({ where: { id: ctx.actor.id } });
    expect((await events.next()).value).toMatchObject({ event: "session-expired" });
    expect((await events.next()).done).toBe(true);
    expect(api.hub.streamCount).toBe(0);
  });

  it.each([
    ["role", () => ctx.db.member.update({ where: { id: ctx.actor.id }, data: { role: "operator" } })],
    ["organisation", switchElsewhere],
  ])("reports that the session has another %s now, which is not its end", async (_, change) => {
    const events = await open();
    await events.next();
    await change();
    expect((await events.next()).value).toMatchObject({ event: "session-changed" });
    expect((await events.next()).done).toBe(true);
  });

  it("sends the server's time, so that ages don't depend on the client's clock", async () => {
    const before = Date.now();
    const events = await open();
    const ready = (await events.next()).value;
    const serverTime = new Date(String(ready?.data.now)).getTime();
    expect(serverTime).toBeGreaterThanOrEqual(before);
    expect(serverTime).toBeLessThanOrEqual(Date.now());
    await events.return();
  });

  it("ends when the key is revoked", async () => {
    const created = await createApiKey(ctx, {
      name: "k",
      role: "viewer",
      scopes: ["event:read", "exposure:read"],
      requestsPerMinute: 600,
      expiresAt: null,
    });
    const request = new Request("http://fairlead.test/api/v1/changes", {
      headers: { authorization: `Bearer ${created.key}` },
    });
    const events = readEvents(await api.handle(request));
    await events.next();
    await write("seen");
    expect((await events.next()).value).toMatchObject({ data: { subjectId: "seen" } });
    await revokeApiKey(ctx, created.id);
    expect((await readUntil(events, (event) => event.event === "session-expired")).at(-1)?.event).toBe(
      "session-expired",
    );
    expect((await api.handle(request)).status).toBe(401);
  });

  it("continues while its session is valid, past many checks", async () => {
    const events = await open();
    await events.next();
    await sleep(200);
    await write("still");
    expect((await events.next()).value).toMatchObject({ data: { subjectId: "still" } });
    await events.return();
  });

  it("ends when the server stops, and resumes at the next one", async () => {
    const events = await open();
    const ready = (await events.next()).value;
    api.close();
    expect((await events.next()).done).toBe(true);
    await write("meanwhile");
    api = createTestApi(ctx);
    expect(subjectsOf(await readUntil(await open(ready?.id), is("meanwhile")))).toEqual(["meanwhile"]);
    expect(api.faults).toEqual([]);
  });

  it("is the same over tRPC", async () => {
    const changes = await api.caller(ctx).live.changes({});
    const parts = changes[Symbol.asyncIterator]();
    expect((await parts.next()).value).toMatchObject([expect.any(String), { type: "ready" }, expect.anything()]);
    await write("by-trpc");
    expect((await parts.next()).value).toMatchObject([
      expect.any(String),
      { type: "change", subjectId: "by-trpc" },
      expect.anything(),
    ]);
    await parts.return?.();
  });
});
