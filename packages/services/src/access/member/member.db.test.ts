import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { newId } from "@fairlead/domain";
import { may, type Permission, permissions } from "@fairlead/domain/access";
import { listAddressMappings as listAddressMappingsInput } from "@fairlead/domain/address-map";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listAddressMappings } from "../../address-map/index.ts";
import type { ServiceContext } from "../../context.ts";
import { createTestOrganization, createTestUser } from "../../testing/index.ts";
import { getSession } from "../session/get.ts";
import { recheckSession } from "../session/recheck.ts";
import { resolveSession } from "../session/resolve.ts";
import { listMembers } from "./list.ts";
import { removeMember } from "./remove.ts";
import { updateMember } from "./update.ts";

let database: TestDatabase;
let ctx: ServiceContext;

beforeAll(async () => {
  database = await createTestDatabase({ connections: 12 });
});
afterAll(() => database.drop());
beforeEach(async () => {
  ctx = await createTestOrganization(database.db);
});

const mappings = listAddressMappingsInput.parse({});
const page = { limit: 50, sort: "name", direction: "asc" } as const;

function ownersOf({ organizationId }: ServiceContext): Promise<number> {
  return database.db.member.count({ where: { organizationId, role: "owner" } });
}

describe("the last owner stays", () => {
  it("when demoted or removed", async () => {
    const owner = await createTestUser(ctx, "owner", "Ada");
    const refusal = { code: "conflict", message: "Ada is the last owner; make another member an owner first." };
    await expect(updateMember(owner, owner.memberId, { role: "viewer" })).rejects.toMatchObject(refusal);
    await expect(removeMember(owner, owner.memberId)).rejects.toMatchObject(refusal);
    expect(await ownersOf(ctx)).toBe(1);
  });

  it("when two owners demote each other at the same moment", async () => {
    for (let round = 0; round < 10; round++) {
      const here = await createTestOrganization(database.db);
      const [ada, bob] = [await createTestUser(here, "owner"), await createTestUser(here, "owner")];
      const outcomes = await Promise.allSettled([
        updateMember(ada, bob.memberId, { role: "viewer" }),
        updateMember(bob, ada.memberId, { role: "viewer" }),
      ]);
      expect(outcomes.map((each) => each.status).sort()).toEqual(["fulfilled", "rejected"]);
      expect(await ownersOf(here)).toBe(1);
    }
  });

  it("when four owners remove and demote one another at once", async () => {
    const owners = await Promise.all([1, 2, 3, 4].map(() => createTestUser(ctx, "owner")));
    await Promise.allSettled(
      owners.map((owner, at) =>
        at % 2 === 0 ? removeMember(ctx, owner.memberId) : updateMember(ctx, owner.memberId, { role: "operator" }),
      ),
    );
    expect(await ownersOf(ctx)).toBe(1);
  });
});

describe("a member who is removed", () => {
  it("is refused on the next request, and their stream ends", async () => {
    await createTestUser(ctx, "owner");
    const bob = await createTestUser(ctx, "operator", "Bob");
    const session = { id: bob.sessionId, userId: bob.userId, organizationId: ctx.organizationId };
    expect((await resolveSession(ctx.db, session)).actor.role).toBe("operator");
    await removeMember(ctx, bob.memberId);
    await expect(resolveSession(ctx.db, session)).rejects.toMatchObject({ code: "unauthenticated" });
    expect(await recheckSession(ctx.db, bob.actor, ctx.organizationId, new Date())).toBe("over");
    expect(await ctx.db.session.count({ where: { userId: bob.userId } })).toBe(0);
  });

  it("is not silently moved to another organisation of theirs", async () => {
    const bob = await createTestUser(ctx, "operator", "Bob");
    const other = await createTestOrganization(database.db);
    await ctx.db.member.create({
      data: { id: `mem_${bob.userId}`, organizationId: other.organizationId, userId: bob.userId, role: "viewer" },
    });
    const elsewhere = { id: "s2", token: `t2${bob.userId}`, userId: bob.userId, expiresAt: new Date(Date.now() + 9e6) };
    await ctx.db.session.create({ data: { ...elsewhere, activeOrganizationId: other.organizationId } });
    await removeMember(ctx, bob.memberId);
    const session = { id: bob.sessionId, userId: bob.userId, organizationId: ctx.organizationId };
    await expect(resolveSession(ctx.db, session)).rejects.toMatchObject({ code: "unauthenticated" });
    const kept = await resolveSession(ctx.db, { ...elsewhere, organizationId: other.organizationId });
    expect(kept).toMatchObject({ organizationId: other.organizationId, actor: { role: "viewer" } });
  });
});

describe("a member whose role changes", () => {
  it("has the new role from the next request on, and a stream with the old one is notified", async () => {
    const bob = await createTestUser(ctx, "operator", "Bob");
    await updateMember(ctx, bob.memberId, { role: "viewer" });
    const session = { id: bob.sessionId, userId: bob.userId, organizationId: null };
    expect((await resolveSession(ctx.db, session)).actor.role).toBe("viewer");
    expect(await recheckSession(ctx.db, bob.actor, ctx.organizationId, new Date())).toBe("changed");
  });

  it("leaves an audit entry with the role before and after", async () => {
    const bob = await createTestUser(ctx, "operator", "Bob");
    await updateMember(ctx, bob.memberId, { role: "viewer" });
    await updateMember(ctx, bob.memberId, { role: "viewer" });
    const entries = await ctx.db.auditEntry.findMany({ where: { organizationId: ctx.organizationId } });
    expect(entries).toMatchObject([
      { action: "member.update", subjectName: "Bob", before: { role: "operator" }, after: { role: "viewer" } },
    ]);
  });
});

describe("a member who is denied a permission", () => {
  const denied = ["map:read" as const];
  const actorOf = async ({ sessionId, userId }: { sessionId: string; userId: string }) =>
    (await resolveSession(ctx.db, { id: sessionId, userId, organizationId: ctx.organizationId })).actor;

  it("lacks it from the next request on, and has it back once it is returned", async () => {
    const bob = await createTestUser(ctx, "viewer", "Bob");
    expect(may(await actorOf(bob), "map:read")).toBe(true);
    expect(await updateMember(ctx, bob.memberId, { denied })).toMatchObject({ role: "viewer", denied });
    expect(await recheckSession(ctx.db, bob.actor, ctx.organizationId, new Date())).toBe("changed");
    const actor = await actorOf(bob);
    expect([may(actor, "map:read"), may(actor, "exposure:read")]).toEqual([false, true]);
    const { permissions } = await getSession({ ...bob, actor });
    expect(permissions).not.toContain("map:read");
    await expect(listAddressMappings({ ...bob, actor }, mappings)).rejects.toMatchObject({
      code: "forbidden",
      message: "This needs the permission map:read, which Bob does not have, because an owner took it away.",
    });
    await updateMember(ctx, bob.memberId, { denied: [] });
    expect(may(await actorOf(bob), "map:read")).toBe(true);
  });

  it("keeps that with another role, and loses it as an owner, who could return it to themselves", async () => {
    await createTestUser(ctx, "owner");
    const bob = await createTestUser(ctx, "viewer", "Bob");
    await updateMember(ctx, bob.memberId, { denied });
    expect(await updateMember(ctx, bob.memberId, { role: "operator" })).toMatchObject({ role: "operator", denied });
    expect(await updateMember(ctx, bob.memberId, { role: "owner" })).toMatchObject({ role: "owner", denied: [] });
    await expect(updateMember(ctx, bob.memberId, { denied })).rejects.toMatchObject({
      code: "invalid",
      fields: [{ path: ["denied"] }],
    });
    expect(await updateMember(ctx, bob.memberId, { role: "viewer", denied })).toMatchObject({ role: "viewer", denied });
  });

  it("leaves an audit entry, once", async () => {
    const bob = await createTestUser(ctx, "viewer", "Bob");
    await updateMember(ctx, bob.memberId, { denied });
    await updateMember(ctx, bob.memberId, { denied });
    expect(await ctx.db.auditEntry.findMany({ where: { organizationId: ctx.organizationId } })).toMatchObject([
      { action: "member.update", subjectName: "Bob", before: { denied: [] }, after: { denied } },
    ]);
  });

  it("can't change it, nor can a key without it", async () => {
    const bob = await createTestUser(ctx, "operator", "Bob");
    await updateMember(ctx, bob.memberId, { denied });
    await expect(updateMember(bob, bob.memberId, { denied: [] })).rejects.toMatchObject({ code: "forbidden" });
    const scopes = permissions.filter((each) => each !== "map:read");
    const key: ServiceContext = { ...ctx, actor: { kind: "api-key", id: "key_x", name: "ci", role: "owner", scopes } };
    await expect(updateMember(key, bob.memberId, { denied: [] })).rejects.toMatchObject({ code: "forbidden" });
  });

  it("has it still in another organisation", async () => {
    const bob = await createTestUser(ctx, "viewer", "Bob");
    const other = await createTestOrganization(database.db);
    const { organizationId } = other;
    await ctx.db.member.create({ data: { id: newId("member"), organizationId, userId: bob.userId, role: "viewer" } });
    await updateMember(ctx, bob.memberId, { denied });
    const there = await resolveSession(ctx.db, { id: bob.sessionId, userId: bob.userId, organizationId });
    expect(may(there.actor, "map:read")).toBe(true);
  });
});

describe("no one grants more than they have", () => {
  it("not even a key that may write members", async () => {
    const bob = await createTestUser(ctx, "viewer", "Bob");
    const scopes: Permission[] = ["member:read", "member:write"];
    const key: ServiceContext = { ...ctx, actor: { kind: "api-key", id: "key_x", name: "ci", role: "owner", scopes } };
    await expect(updateMember(key, bob.memberId, { role: "owner" })).rejects.toMatchObject({ code: "forbidden" });
    await expect(removeMember(key, (await createTestUser(ctx, "owner")).memberId)).rejects.toMatchObject({
      code: "forbidden",
    });
  });

  it.each(["operator", "viewer"] as const)("the role %s changes no member", async (role) => {
    const bob = await createTestUser(ctx, "viewer");
    const actor = await createTestUser(ctx, role);
    await expect(updateMember(actor, bob.memberId, { role: "owner" })).rejects.toMatchObject({ code: "forbidden" });
    await expect(removeMember(actor, bob.memberId)).rejects.toMatchObject({ code: "forbidden" });
  });
});

describe("another organisation", () => {
  it("sees and touches no member of this one", async () => {
    const bob = await createTestUser(ctx, "viewer", "Bob");
    const other = await createTestOrganization(database.db);
    expect((await listMembers(other, page)).items).toEqual([]);
    await expect(updateMember(other, bob.memberId, { role: "owner" })).rejects.toMatchObject({ code: "not-found" });
    await expect(removeMember(other, bob.memberId)).rejects.toMatchObject({ code: "not-found" });
  });
});

describe("listMembers", () => {
  it("finds by name and by email address, narrows by role and pages", async () => {
    const ada = await createTestUser(ctx, "owner", "Ada");
    await createTestUser(ctx, "viewer", "Bob");
    await createTestUser(ctx, "viewer", "Cleo");
    const names = async (input: object) =>
      (await listMembers(ctx, { ...page, ...input })).items.map(({ name }) => name);
    expect(await names({})).toEqual(["Ada", "Bob", "Cleo"]);
    expect(await names({ role: ["viewer"] })).toEqual(["Bob", "Cleo"]);
    expect(await names({ search: ada.userId })).toEqual(["Ada"]);
    expect(await names({ search: "cle" })).toEqual(["Cleo"]);
    const first = await listMembers(ctx, { ...page, limit: 2 });
    expect(first).toMatchObject({ total: 3, items: [{ name: "Ada", activeKeyCount: 0 }, { name: "Bob" }] });
    expect(await names({ cursor: first.nextCursor ?? "" })).toEqual(["Cleo"]);
  });
});
