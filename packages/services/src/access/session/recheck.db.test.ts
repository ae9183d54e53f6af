import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { newId } from "@fairlead/domain";
import type { Role } from "@fairlead/domain/access";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ServiceContext } from "../../context.ts";
import { createTestOrganization, createTestUser } from "../../testing/index.ts";
import { recheckSession } from "./recheck.ts";
import { switchOrganization } from "./switch-organization.ts";

let database: TestDatabase;
let ctx: ServiceContext;
let bob: Awaited<ReturnType<typeof createTestUser>>;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  ctx = await createTestOrganization(database.db);
  bob = await createTestUser(ctx, "operator", "Bob");
});

const recheck = (now = new Date()) => recheckSession(ctx.db, bob.actor, ctx.organizationId, now);
const removeBob = () => ctx.db.member.delete({ where: { id: bob.memberId } });

async function joinAnother(role: Role): Promise<string> {
  const { organizationId } = await createTestOrganization(database.db);
  await ctx.db.member.create({ data: { id: newId("member"), organizationId, userId: bob.userId, role } });
  return organizationId;
}

describe("a user who was authenticated a while ago", () => {
  it("is unchanged while nothing changes", async () => {
    await joinAnother("viewer");
    expect(await recheck()).toBe("none");
  });

  it("has changed with their role", async () => {
    await ctx.db.member.update({ where: { id: bob.memberId }, data: { role: "viewer" } });
    expect(await recheck()).toBe("changed");
  });

  it("has changed when a permission was taken away, and is unchanged again when it was given back", async () => {
    await ctx.db.member.update({ where: { id: bob.memberId }, data: { denied: ["map:read"] } });
    expect(await recheck()).toBe("changed");
    await ctx.db.member.update({ where: { id: bob.memberId }, data: { denied: [] } });
    expect(await recheck()).toBe("none");
  });

  it("has changed when they switched to another organisation, with the same role or not", async () => {
    for (const role of ["operator", "viewer"] as const) {
      await switchOrganization(bob, { organizationId: await joinAnother(role) });
      expect(await recheck()).toBe("changed");
    }
    await switchOrganization(bob, { organizationId: ctx.organizationId });
    expect(await recheck()).toBe("none");
  });

  it("is in the organisation that their identity provider is bound to, whatever they chose before", async () => {
    const data = { boundOrganizationId: ctx.organizationId, activeOrganizationId: await joinAnother("operator") };
    await ctx.db.session.update({ where: { id: bob.sessionId }, data });
    expect(await recheck()).toBe("none");
  });

  it("is rejected once signed out, expired, or removed from their organisation", async () => {
    expect(await recheck(new Date(Date.now() + 7_200_000))).toBe("over");
    await joinAnother("operator");
    await removeBob();
    expect(await recheck()).toBe("over");
    await ctx.db.session.deleteMany({ where: { id: bob.sessionId } });
    expect(await recheck()).toBe("over");
  });
});
