import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ServiceContext } from "../../context.ts";
import { createTestOrganization, createTestUser } from "../../testing/index.ts";
import { acceptInvitation } from "./accept.ts";
import { acceptInvitationAsNewUser, acceptInvitationWithPassword } from "./accept-signed-out.ts";
import { createInvitation } from "./create.ts";
import { deleteInvitation } from "./delete.ts";
import { findInvitation } from "./find.ts";
import { listInvitations } from "./list.ts";

let database: TestDatabase;
let ctx: ServiceContext;
let count = 0;

beforeAll(async () => {
  database = await createTestDatabase({ connections: 12 });
});
afterAll(() => database.drop());
beforeEach(async () => {
  ctx = await createTestOrganization(database.db);
});

const weekMs = 7 * 24 * 3_600_000;
const person = { name: "Grace", password: "compilers are nice" };

async function invite(role: "owner" | "operator" | "viewer" = "operator") {
  const email = `grace${++count}@example.com`;
  const created = await createInvitation(ctx, { email, role });
  return { ...created, email, token: created.path.replace("/invitations/", "") };
}

describe("an invitation", () => {
  it("creates a member with its role, and an account with its password", async () => {
    const { token, email } = await invite();
    expect(await findInvitation(ctx.db, token, ctx.now)).toEqual({
      email,
      role: "operator",
      organizationName: "Test",
      account: "none",
    });
    await acceptInvitationAsNewUser(ctx.db, { token, ...person }, ctx.now);
    const { organizationId } = ctx;
    expect(await ctx.db.member.findMany({ where: { organizationId }, include: { user: true } })).toMatchObject([
      { role: "operator", user: { name: "Grace", email, emailVerified: true } },
    ]);
    expect((await listInvitations(ctx, { limit: 9, sort: "email", direction: "asc" })).items).toMatchObject([
      { email, state: "accepted" },
    ]);
  });

  it("is used once, however many accept it at the same moment", async () => {
    const { token, email } = await invite();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, () => acceptInvitationAsNewUser(ctx.db, { token, ...person }, ctx.now)),
    );
    expect(outcomes.filter((each) => each.status === "fulfilled")).toHaveLength(1);
    expect(await ctx.db.user.count({ where: { email } })).toBe(1);
    expect(await ctx.db.member.count({ where: { organizationId: ctx.organizationId } })).toBe(1);
    await expect(acceptInvitationAsNewUser(ctx.db, { token, ...person }, ctx.now)).rejects.toMatchObject({
      code: "not-found",
      message: "This invitation is used, expired or deleted. Ask an owner for a new one.",
    });
  });

  it("costs no hash of a password when it is not valid", async () => {
    const input = {
      token: "a".repeat(32),
      name: person.name,
      get password(): string {
        throw new Error("the password was read");
      },
    };
    await expect(acceptInvitationAsNewUser(ctx.db, input, ctx.now)).rejects.toMatchObject({ code: "not-found" });
  });

  it("is valid for seven days", async () => {
    const { token } = await invite();
    const justBefore = new Date(ctx.now.getTime() + weekMs - 1);
    const after = new Date(ctx.now.getTime() + weekMs);
    expect(await findInvitation(ctx.db, token, justBefore)).not.toBeNull();
    expect(await findInvitation(ctx.db, token, after)).toBeNull();
    await expect(acceptInvitationAsNewUser(ctx.db, { token, ...person }, after)).rejects.toMatchObject({
      code: "not-found",
    });
  });

  it("is invalid once deleted, and can't be deleted once used", async () => {
    const gone = await invite();
    await deleteInvitation(ctx, gone.id);
    expect(await findInvitation(ctx.db, gone.token, ctx.now)).toBeNull();
    const used = await invite();
    await acceptInvitationAsNewUser(ctx.db, { token: used.token, ...person }, ctx.now);
    await expect(deleteInvitation(ctx, used.id)).rejects.toMatchObject({ code: "conflict" });
  });

  it("can only be accepted by the invited user when signed in", async () => {
    const { token, email } = await invite("viewer");
    const other = await createTestOrganization(database.db);
    const otherUser = await createTestUser(other, "owner");
    await expect(acceptInvitation(otherUser, { token })).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining(`This invitation is for ${email}`),
    });
    await ctx.db.user.update({ where: { id: otherUser.userId }, data: { email } });
    expect(await acceptInvitation(otherUser, { token })).toEqual({
      id: ctx.organizationId,
      name: "Test",
      role: "viewer",
    });
  });

  it("readmits a removed user with their old password and no other", async () => {
    const first = await invite();
    await acceptInvitationAsNewUser(ctx.db, { token: first.token, ...person }, ctx.now);
    await ctx.db.member.deleteMany({ where: { organizationId: ctx.organizationId } });
    const again = await createInvitation(ctx, { email: first.email, role: "viewer" });
    const token = again.path.replace("/invitations/", "");
    expect((await findInvitation(ctx.db, token, ctx.now))?.account).toBe("password");
    await expect(acceptInvitationAsNewUser(ctx.db, { token, ...person }, ctx.now)).rejects.toMatchObject({
      code: "conflict",
    });
    await expect(acceptInvitationWithPassword(ctx.db, { token, password: "a guess" }, ctx.now)).rejects.toMatchObject({
      code: "unauthenticated",
    });
    await acceptInvitationWithPassword(ctx.db, { token, password: person.password }, ctx.now);
    expect(await ctx.db.member.count({ where: { organizationId: ctx.organizationId, role: "viewer" } })).toBe(1);
  });

  it("limits password guesses", async () => {
    const first = await invite();
    await acceptInvitationAsNewUser(ctx.db, { token: first.token, ...person }, ctx.now);
    await ctx.db.member.deleteMany({ where: { organizationId: ctx.organizationId } });
    const token = (await createInvitation(ctx, { email: first.email, role: "viewer" })).path.split("/").at(-1) ?? "";
    for (let at = 0; at < 10; at++)
      await expect(acceptInvitationWithPassword(ctx.db, { token, password: "guess" }, ctx.now)).rejects.toMatchObject({
        code: "unauthenticated",
      });
    await expect(
      acceptInvitationWithPassword(ctx.db, { token, password: person.password }, ctx.now),
    ).rejects.toMatchObject({ code: "rate-limited", retryAfterSeconds: 30 });
  });

  it("is not created twice for one address, nor for a member", async () => {
    const { email, token } = await invite();
    await expect(createInvitation(ctx, { email, role: "viewer" })).rejects.toMatchObject({
      code: "conflict",
      fields: [{ path: ["email"] }],
    });
    await acceptInvitationAsNewUser(ctx.db, { token, ...person }, ctx.now);
    await expect(createInvitation(ctx, { email, role: "viewer" })).rejects.toMatchObject({
      message: `${email} is a member already.`,
    });
  });

  it("is not created twice by two owners at once, and can be created again once it has expired", async () => {
    const email = `grace${++count}@example.com`;
    const make = (at: ServiceContext) => createInvitation(at, { email, role: "viewer" });
    const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => make(ctx)));
    const refused = outcomes.filter((each) => each.status === "rejected");
    expect(refused.map((each) => each.reason)).toMatchObject(Array(5).fill({ code: "conflict" }));
    const { id } = await make({ ...ctx, now: new Date(ctx.now.getTime() + weekMs) });
    expect(await ctx.db.invitation.findMany({ where: { email } })).toMatchObject([{ id }]);
  });

  it("offers no role above that of its creator", async () => {
    const key: ServiceContext = {
      ...ctx,
      actor: { kind: "api-key", id: "key_x", name: "ci", role: "owner", scopes: ["member:write"] },
    };
    await expect(createInvitation(key, { email: "eve@example.com", role: "owner" })).rejects.toMatchObject({
      code: "forbidden",
      fields: [{ path: ["role"] }],
    });
  });

  it("is unknown to another organisation", async () => {
    const { id } = await invite();
    const other = await createTestOrganization(database.db);
    await expect(deleteInvitation(other, id)).rejects.toMatchObject({ code: "not-found" });
    expect((await listInvitations(other, { limit: 9, sort: "email", direction: "asc" })).total).toBe(0);
  });
});
