import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { authenticateApiKey } from "../access/api-key/authenticate.ts";
import { createApiKey, revokeApiKey } from "../access/index.ts";
import { countRefusedPassword } from "../access/session/count-refused-sign-in.ts";
import type { ServiceContext } from "../context.ts";
import { createTestOrganization, createTestUser } from "../testing/index.ts";
import { countRefusal } from "./count-refusal.ts";
import { RefusalQueue, settleRefusals } from "./refusal-queue.ts";

let database: TestDatabase;
let ctx: ServiceContext;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  ctx = await createTestOrganization(database.db);
});

const minute = new Date("2026-11-20T12:00:00Z");
const second = (seconds: number) => new Date(minute.getTime() + seconds * 1_000);

async function entriesOf({ organizationId }: ServiceContext, action: string) {
  await settleRefusals();
  return database.db.auditEntry.findMany({
    where: { organizationId, action },
    orderBy: [{ at: "asc" }, { id: "asc" }],
  });
}

describe("requests with a refused key", () => {
  const newKey = (expiresAt: Date | null) =>
    createApiKey(
      { ...ctx, now: minute },
      { name: "ci", role: "viewer", scopes: ["cluster:read"], requestsPerMinute: 60, expiresAt },
    );
  const present = (key: string, now: Date, address: string | null = null) =>
    expect(authenticateApiKey(database.db, key, now, undefined, { address })).rejects.toMatchObject({
      code: "unauthenticated",
    });

  it("are one audit entry per key and minute, with their number", async () => {
    const { key, id } = await newKey(null);
    await revokeApiKey({ ...ctx, now: minute }, id);
    await Promise.all(Array.from({ length: 50 }, () => present(key, second(1), "192.0.2.1")));
    await present(key, second(59), "198.51.100.1");
    await present(key, second(60));
    const common = { actorKind: "api-key", actorId: id, actorName: "ci", subjectKind: "api-key", subjectId: id };
    expect(await entriesOf(ctx, "api-key.refuse")).toMatchObject([
      {
        ...common,
        at: second(1),
        before: null,
        after: { reason: "revoked", address: "192.0.2.1", count: 51, lastAt: second(59).toISOString() },
      },
      { ...common, at: second(60), after: { reason: "revoked", address: null, count: 1 } },
    ]);
  });

  it("state that it has expired", async () => {
    const { key } = await newKey(second(30));
    await present(key, second(31));
    expect(await entriesOf(ctx, "api-key.refuse")).toMatchObject([{ after: { reason: "expired", count: 1 } }]);
  });

  it("are refused in the same way if they can't be counted", async () => {
    const { key, id } = await newKey(null);
    await revokeApiKey({ ...ctx, now: minute }, id);
    const readOnly = new Proxy(database.db, {
      get: (target, name) =>
        name === "$executeRaw" ? () => Promise.reject(new Error("read-only")) : Reflect.get(target, name, target),
    });
    const onFault = vi.fn();
    const presented = authenticateApiKey(readOnly, key, second(1), undefined, { address: null, onFault });
    await expect(presented).rejects.toMatchObject({ code: "unauthenticated" });
    await settleRefusals();
    expect(onFault).toHaveBeenCalledOnce();
  });

  it("are in no audit if the key is unknown", async () => {
    await present(`fl_${"a".repeat(32)}`, minute);
    expect(await entriesOf(ctx, "api-key.refuse")).toEqual([]);
  });
});

describe("refused passwords", () => {
  const guess = (email: string, address: string | null, now = minute) =>
    countRefusedPassword(database.db, { email, address, reason: "incorrect-password" }, now);

  it("are one entry per member, subscriber and minute, in each organisation of the user", async () => {
    const ada = await createTestUser(ctx, "viewer", "Ada");
    const other = await createTestOrganization(database.db);
    await database.db.member.create({
      data: {
        id: `mem_${ada.userId.slice(4)}`,
        organizationId: other.organizationId,
        userId: ada.userId,
        role: "owner",
      },
    });
    const email = `${ada.userId}@EXAMPLE.com`;
    for (const address of ["2001:db8::1", "2001:db8::2", "192.0.2.1"]) guess(email, address);
    guess(email, "192.0.2.1", second(59));
    guess(email, "192.0.2.1", second(60));
    for (const [place, memberId] of [
      [ctx, ada.memberId],
      [other, `mem_${ada.userId.slice(4)}`],
    ] as const) {
      const entries = await entriesOf(place, "session.refuse");
      const common = { actorKind: "anonymous", subjectKind: "member", subjectId: memberId, subjectName: "Ada" };
      expect(entries).toMatchObject(entries.map(() => common));
      const found = entries.map(({ after }) => after as { address: string; count: number });
      expect(found.map(({ address, count }) => [address, count]).sort()).toEqual([
        ["192.0.2.1", 1],
        ["192.0.2.1", 2],
        ["2001:db8::1", 2],
      ]);
    }
  });

  it("share an entry once they come from many subscribers", async () => {
    const ada = await createTestUser(ctx, "viewer");
    const email = `${ada.userId}@example.com`;
    for (let at = 0; at < 30; at++) guess(email, `10.0.0.${at}`);
    guess(email, "10.0.0.3");
    const after = (await entriesOf(ctx, "session.refuse")).map(
      (each) => each.after as { address: string; count: number },
    );
    expect(after).toHaveLength(11);
    expect(after.filter(({ address }) => address === null)).toMatchObject([{ count: 20 }]);
    expect(after.filter(({ address }) => address === "10.0.0.3")).toMatchObject([{ count: 2 }]);
  });

  it("share an entry although many processes count at the same moment", async () => {
    const ada = await createTestUser(ctx, "viewer");
    const refusal = {
      organizationId: ctx.organizationId,
      action: "session.refuse",
      actor: { kind: "anonymous", id: "anonymous", name: "Anonymous client" },
      subject: { kind: "member", id: ada.memberId, name: "Ada" },
      reason: "incorrect-password",
      bySubscriber: true,
    } as const;
    const once = { count: 1, first: minute, last: minute };
    const addresses = Array.from({ length: 30 }, (_, at) => `2001:db8:0:${at}::1`);
    await Promise.all(addresses.map((address) => countRefusal(database.db, { ...refusal, address }, once)));
    expect(await entriesOf(ctx, "session.refuse")).toHaveLength(11);
    await countRefusal(database.db, { ...refusal, reason: "too-many-attempts", address: "10.0.0.1" }, once);
    const named = (await entriesOf(ctx, "session.refuse")).map(({ after }) => (after as { address: string }).address);
    expect(named).toContain("10.0.0.1");
  });

  it("for an unknown email address are in no audit", async () => {
    const before = await database.db.auditEntry.count();
    guess("unknown@example.com", "192.0.2.1");
    guess("not an address", null);
    await settleRefusals();
    expect(await database.db.auditEntry.count()).toBe(before);
  });
});

describe("refusals that wait", () => {
  it("are written one after the other, those with the same key together, and a limited number of keys", async () => {
    const queue = new RefusalQueue(3);
    const written: [key: string, count: number][] = [];
    let open = 0;
    const add = (key: string) => {
      const write = async ({ count }: { count: number }) => {
        expect(++open).toBe(1);
        await new Promise((resolve) => setTimeout(resolve, 1));
        open -= 1;
        written.push([key, count]);
        if (key === "b") throw new Error("can't write");
      };
      queue.add({ key, write }, minute);
    };
    for (const key of ["a", "a", "a", "b", "c", "d", "b"]) add(key);
    await queue.settled();
    expect(written).toEqual([
      ["a", 1],
      ["a", 2],
      ["b", 2],
      ["c", 1],
    ]);
    add("d");
    await queue.settled();
    expect(written.at(-1)).toEqual(["d", 1]);
  });
});
