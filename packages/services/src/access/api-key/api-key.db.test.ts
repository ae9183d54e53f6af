import { readFile } from "node:fs/promises";
import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { DomainError } from "@fairlead/domain";
import {
  type Actor,
  type CreateApiKey,
  createApiKey as createApiKeyInput,
  may,
  permissions,
} from "@fairlead/domain/access";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createCluster, listClusters } from "../../cluster/index.ts";
import type { ServiceContext } from "../../context.ts";
import { createTestOrganization, createTestUser } from "../../testing/index.ts";
import { recheckSession } from "../session/recheck.ts";
import { authenticateApiKey } from "./authenticate.ts";
import { createApiKey } from "./create.ts";
import { KeyLimiter } from "./limiter.ts";
import { listApiKeys } from "./list.ts";
import { revokeApiKey } from "./revoke.ts";

let database: TestDatabase;
let ctx: ServiceContext;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  ctx = await createTestOrganization(database.db);
});

function spec(input: Partial<CreateApiKey> = {}): CreateApiKey {
  return createApiKeyInput.parse({ name: "ci", role: "operator", scopes: ["cluster:read"], ...input });
}

function later(seconds: number): Date {
  return new Date(ctx.now.getTime() + seconds * 1000);
}

async function as(key: string): Promise<ServiceContext> {
  return { ...ctx, ...(await authenticateApiKey(ctx.db, key, ctx.now, new KeyLimiter())) };
}

const clusters = { limit: 5, sort: "name", direction: "asc" } as const;

describe("an API key", () => {
  it("is shown once and kept as a hash", async () => {
    const { key, ...created } = await createApiKey(ctx, spec());
    expect(key).toMatch(/^fl_[A-Za-z0-9_-]{32}$/);
    expect(created).toMatchObject({ name: "ci", start: key.slice(0, 8), state: "active", scopes: ["cluster:read"] });
    expect(JSON.stringify(await database.db.$queryRaw`SELECT * FROM api_key`)).not.toContain(key.slice(8));
  });

  it("belongs to its organisation and is named in the audit", async () => {
    const { key, id } = await createApiKey(ctx, spec({ scopes: ["cluster:read", "cluster:write"] }));
    const caller = await as(key);
    expect(caller).toMatchObject({ organizationId: ctx.organizationId, actor: { kind: "api-key", id, name: "ci" } });
    await createCluster(caller, { name: "east", kind: "lab", region: "", labels: {} });
    const entry = await ctx.db.auditEntry.findFirstOrThrow({ where: { action: "cluster.create" } });
    expect(entry).toMatchObject({ actorKind: "api-key", actorId: id, actorName: "ci" });
  });

  it("is refused at once when revoked, and a stream with it ends", async () => {
    const { key, id } = await createApiKey(ctx, spec());
    const limiter = new KeyLimiter();
    const { actor, organizationId } = await authenticateApiKey(ctx.db, key, ctx.now, limiter);
    await revokeApiKey(ctx, id);
    await expect(authenticateApiKey(ctx.db, key, ctx.now, limiter)).rejects.toMatchObject({
      code: "unauthenticated",
      message: "The API key ci was revoked.",
    });
    expect(await recheckSession(ctx.db, actor, organizationId, ctx.now)).toBe("over");
    expect((await revokeApiKey(ctx, id)).state).toBe("revoked");
    expect(await ctx.db.auditEntry.count({ where: { action: "api-key.revoke", subjectId: id } })).toBe(1);
  });

  it("is refused once it has expired", async () => {
    const { key } = await createApiKey(ctx, spec({ expiresAt: later(60) }));
    await authenticateApiKey(ctx.db, key, later(59));
    await expect(authenticateApiKey(ctx.db, key, later(60))).rejects.toMatchObject({ code: "unauthenticated" });
    await expect(createApiKey(ctx, spec({ expiresAt: ctx.now }))).rejects.toMatchObject({
      code: "invalid",
      fields: [{ path: ["expiresAt"] }],
    });
  });

  it.each([
    "",
    "fl_",
    "fl_tooshort",
    `fl_${"a".repeat(32)}`,
    `xx_${"a".repeat(32)}`,
    `fl_${"a".repeat(5000)}`,
    "fl_\u0000",
  ])("is refused when it is not one of ours: %.20j", async (presented) => {
    await expect(authenticateApiKey(ctx.db, presented, ctx.now)).rejects.toMatchObject({ code: "unauthenticated" });
  });

  it("is marked as used at most once a minute", async () => {
    const { key, id } = await createApiKey(ctx, spec());
    const usedAt = async (seconds: number) => {
      await authenticateApiKey(ctx.db, key, later(seconds));
      return (await ctx.db.apiKey.findUniqueOrThrow({ where: { id } })).lastUsedAt?.getTime();
    };
    expect(await usedAt(0)).toBe(ctx.now.getTime());
    expect(await usedAt(59)).toBe(ctx.now.getTime());
    expect(await usedAt(60)).toBe(later(60).getTime());
  });
});

describe("a key never exceeds its scopes or its role", () => {
  it("for every combination of both", async () => {
    for (const role of ["owner", "operator", "viewer"] as const) {
      const actor: Actor & { kind: "api-key" } = {
        kind: "api-key",
        id: "k",
        name: "k",
        role,
        scopes: [...permissions],
      };
      const person: Actor = { kind: "user", id: "u", name: "u", role };
      for (const permission of permissions) {
        expect(may(actor, permission)).toBe(may(person, permission));
        expect(may({ ...actor, scopes: [] }, permission)).toBe(false);
      }
    }
  });

  it("when it calls a verb outside its scopes", async () => {
    const { key } = await createApiKey(ctx, spec({ role: "owner", scopes: ["cluster:read"] }));
    const caller = await as(key);
    expect(await listClusters(caller, clusters)).toMatchObject({ total: 0 });
    await expect(createCluster(caller, { name: "x", kind: "lab", region: "", labels: {} })).rejects.toMatchObject({
      code: "forbidden",
    });
  });

  it("when it is created: scopes stay within its role and its creator's permissions", async () => {
    await expect(
      createApiKey(ctx, spec({ role: "viewer", scopes: ["cluster:read", "cluster:write"] })),
    ).rejects.toMatchObject({
      code: "invalid",
      fields: [{ path: ["scopes", 1], message: "The role viewer does not include cluster:write." }],
    });
    const operator = await createTestUser(ctx, "operator");
    await expect(createApiKey(operator, spec())).rejects.toMatchObject({ code: "forbidden" });
  });

  it("when its creator was denied the permission", async () => {
    const actor: Actor = { kind: "user", id: "u", name: "u", role: "owner", denied: ["map:read"] };
    await expect(createApiKey({ ...ctx, actor }, spec({ scopes: ["cluster:read", "map:read"] }))).rejects.toMatchObject(
      {
        code: "invalid",
        fields: [{ path: ["scopes", 1], message: "You don't have map:read yourself." }],
      },
    );
  });

  it("when it creates another key: not wider, not longer, not faster", async () => {
    const made = await createApiKey(
      ctx,
      spec({ role: "owner", scopes: ["key:write", "cluster:read"], expiresAt: later(60), requestsPerMinute: 60 }),
    );
    const maker = await as(made.key);
    const within = { expiresAt: later(30), requestsPerMinute: 60 };
    expect((await createApiKey(maker, spec(within))).state).toBe("active");
    for (const [wrong, path] of [
      [{ ...within, scopes: ["cluster:write"] as const }, ["scopes", 0]],
      [{ ...within, expiresAt: null }, ["expiresAt"]],
      [{ ...within, expiresAt: later(61) }, ["expiresAt"]],
      [{ ...within, requestsPerMinute: 61 }, ["requestsPerMinute"]],
    ] as const)
      await expect(createApiKey(maker, spec(wrong as Partial<CreateApiKey>))).rejects.toMatchObject({
        code: "invalid",
        fields: [{ path }],
      });
  });
});

it("a key from before map:read existed still reads maps, if it could", async () => {
  const [reader, other] = [
    await createApiKey(ctx, spec({ scopes: ["exposure:read"] })),
    await createApiKey(ctx, spec({ scopes: ["cluster:read"] })),
  ];
  const migration = await readFile("prisma/migrations/20261129000300_map_read/migration.sql", "utf8");
  await ctx.db.$executeRawUnsafe(migration.slice(migration.indexOf("UPDATE")));
  const scopesOf = async ({ id }: { id: string }) => (await ctx.db.apiKey.findUniqueOrThrow({ where: { id } })).scopes;
  expect([await scopesOf(reader), await scopesOf(other)]).toEqual([["exposure:read", "map:read"], ["cluster:read"]]);
});

describe("the rate limit", () => {
  async function drain(key: string, limiter: KeyLimiter, at: Date, most = 2_000): Promise<number> {
    for (let passed = 0; passed < most; passed++) {
      const outcome = await authenticateApiKey(ctx.db, key, at, limiter).catch((error: unknown) => error);
      if (outcome instanceof DomainError) {
        expect(outcome.code).toBe("rate-limited");
        expect(outcome.retryAfterSeconds).toBeGreaterThan(0);
        return passed;
      }
    }
    return most;
  }

  it("returns when to retry, and then admits again", async () => {
    const { key } = await createApiKey(ctx, spec({ requestsPerMinute: 60 }));
    const limiter = new KeyLimiter();
    expect(await drain(key, limiter, ctx.now)).toBe(60);
    await expect(authenticateApiKey(ctx.db, key, ctx.now, limiter)).rejects.toMatchObject({
      code: "rate-limited",
      retryAfterSeconds: 1,
    });
    expect(await drain(key, limiter, later(1))).toBe(1);
    expect(await drain(key, limiter, later(11))).toBe(10);
    expect(await drain(key, limiter, later(3_600))).toBe(60);
  });

  it("holds over all processes together", async () => {
    const { key } = await createApiKey(ctx, spec({ requestsPerMinute: 600 }));
    const processes = [new KeyLimiter(), new KeyLimiter(), new KeyLimiter()];
    const passed = await Promise.all(processes.map((limiter) => drain(key, limiter, ctx.now)));
    expect(passed.reduce((sum, each) => sum + each)).toBe(600);
  });

  it("allows parallel requests of one process all of it, and no more", async () => {
    const { key } = await createApiKey(ctx, spec({ requestsPerMinute: 600 }));
    const limiter = new KeyLimiter();
    const passedOf = async (count: number) => {
      const requests = Array.from({ length: count }, () => authenticateApiKey(ctx.db, key, ctx.now, limiter));
      const outcomes = await Promise.allSettled(requests);
      for (const each of outcomes)
        if (each.status === "rejected") expect(each.reason).toMatchObject({ code: "rate-limited" });
      return outcomes.filter((each) => each.status === "fulfilled").length;
    };
    expect(await passedOf(100)).toBe(100);
    expect(await passedOf(600)).toBe(500);
  });

  it("costs a busy key one write in thirty requests, and a refused one none", async () => {
    const { key, id } = await createApiKey(ctx, spec({ requestsPerMinute: 600 }));
    const limiter = new KeyLimiter();
    const spent = async () =>
      (await ctx.db.allowance.findUniqueOrThrow({ where: { name: `api-key:${id}` } })).spentUntil.getTime();
    const seen = new Set<number>();
    for (let at = 0; at < 300; at++) {
      await authenticateApiKey(ctx.db, key, ctx.now, limiter);
      seen.add(await spent());
    }
    expect(seen.size).toBe(10);
    await drain(key, limiter, ctx.now);
    const before = await spent();
    await expect(authenticateApiKey(ctx.db, key, ctx.now, limiter)).rejects.toMatchObject({ code: "rate-limited" });
    expect(await spent()).toBe(before);
  });
});

describe("another organisation", () => {
  it("sees and revokes no key of this one", async () => {
    const { id } = await createApiKey(ctx, spec());
    const other = await createTestOrganization(database.db);
    expect((await listApiKeys(other, { limit: 5, sort: "name", direction: "asc" })).total).toBe(0);
    await expect(revokeApiKey(other, id)).rejects.toMatchObject({ code: "not-found" });
  });
});

describe("listApiKeys", () => {
  it("narrows by state and never shows a hash", async () => {
    const { id } = await createApiKey(ctx, spec({ name: "old" }));
    await revokeApiKey(ctx, id);
    await createApiKey(ctx, spec({ name: "new" }));
    const page = await listApiKeys(ctx, { limit: 5, sort: "lastUsedAt", direction: "desc", state: ["active"] });
    expect(page.items.map(({ name }) => name)).toEqual(["new"]);
    expect(Object.keys(page.items[0] ?? {})).not.toContain("keyHash");
  });
});
