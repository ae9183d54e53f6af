import {
  acceptInvitation,
  acceptInvitationAsNewUser,
  createInvitation,
  findInvitation,
  getSession,
  switchOrganization,
} from "@fairlead/services";
import { createTestOrganization } from "@fairlead/services/testing";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { Browser } from "./testing/browser.ts";
import { startOidcStage } from "./testing/oidc-stage.ts";

const stage = await startOidcStage();
const { ctx, database, invite, oidc, signIn, web, whoIs } = stage;
afterAll(stage.stop);
beforeEach(stage.becomeAda);

describe("signing in with a provider", () => {
  it("creates a member with the default role the first time, and finds the same user again", async () => {
    const first = await signIn();
    expect(first.landed.pathname).toBe("/nodes");
    const ada = await whoIs(first.browser);
    expect(ada).toMatchObject({
      organizationId: ctx.organizationId,
      actor: { kind: "user", name: "Ada", role: "viewer" },
    });

    oidc.person = { ...oidc.person, email: "ada.lovelace@example.com" };
    const second = await signIn();
    expect((await whoIs(second.browser)).actor.id).toBe(ada.actor.id);
    expect(await database.db.user.count()).toBe(1);
    expect(await database.db.auditEntry.findMany({ where: { action: "member.join" } })).toMatchObject([
      { actorId: ada.actor.id, after: { email: "ada@example.com", role: "viewer" } },
    ]);
  });

  it("keeps working when the provider restarts with new keys", async () => {
    await oidc.restart();
    const { browser } = await signIn();
    expect((await whoIs(browser)).actor.name).toBe("Ada");
  });

  it("stores no token of the provider", async () => {
    await signIn();
    const tokens = { accessToken: true, refreshToken: true, idToken: true };
    const accounts = await database.db.account.findMany({ select: tokens });
    expect(accounts).toEqual([{ accessToken: null, refreshToken: null, idToken: null }]);
  });

  it("assigns the role of an open invitation and consumes it", async () => {
    await invite("grace@example.com");
    oidc.person = { sub: "2", email: "grace@example.com", email_verified: true, name: "Gra\u202ece" };
    const { browser } = await signIn();
    expect((await whoIs(browser)).actor).toMatchObject({ name: "Gra\\u{202e}ce", role: "operator" });
    const invitation = await database.db.invitation.findFirstOrThrow({ where: { email: "grace@example.com" } });
    expect(invitation.acceptedAt).not.toBeNull();
  });

  it("signs in a member who had a password so far, and audits it", async () => {
    const { token } = await invite("alan@example.com");
    await acceptInvitationAsNewUser(database.db, { token, name: "Alan", password: "machines think" }, ctx.now);
    oidc.person = { sub: "alan", email: "alan@example.com", email_verified: true, name: "Another Name" };
    const { actor } = await whoIs((await signIn()).browser);
    expect(actor).toMatchObject({ name: "Alan", role: "operator" });
    const audit = await database.db.auditEntry.findMany({ where: { action: "member.link" } });
    expect(audit).toMatchObject([{ actorId: actor.id, subjectName: "Alan", after: { identityProvider: "works" } }]);
  });

  it("leads to no other site afterwards", async () => {
    const { landed } = await signIn(new Browser(), "//evil.example/");
    expect(landed.href).toBe(`${web.url}/`);
  });
});

describe("users that a provider can't sign in", () => {
  async function expectRefusal(code: string): Promise<void> {
    const before = await database.db.session.count();
    const { browser, landed } = await signIn();
    expect(landed.pathname).toBe("/sign-in");
    expect(landed.searchParams.get("error")).toBe(code);
    await expect(whoIs(browser)).rejects.toMatchObject({ code: "unauthenticated" });
    expect(await database.db.session.count()).toBe(before);
  }

  it("rejects an email address that the provider has not verified", async () => {
    oidc.person = { sub: "3", email: "eve@example.com", email_verified: false, name: "Eve" };
    await expectRefusal("unverified-email");
    expect(await database.db.user.findUnique({ where: { email: "eve@example.com" } })).toBeNull();
  });

  it.each(["eve@other.example", "eve@example.com.evil.example", "eve@sub.example.com"])(
    "refuses an address of a domain that is not the provider's: %s",
    async (email) => {
      oidc.person = { sub: email, email, email_verified: true, name: "Eve" };
      await expectRefusal("other-domain");
    },
  );

  it("does not take over the account of a user of another organisation", async () => {
    const other = await createTestOrganization(database.db);
    const user = { id: "usr_bob", name: "Bob", email: "bob@example.com", emailVerified: true };
    await database.db.user.create({ data: user });
    await database.db.member.create({
      data: { id: "mem_bob", organizationId: other.organizationId, userId: user.id, role: "owner" },
    });
    oidc.person = { sub: "4", email: user.email, email_verified: true, name: "Not Bob" };
    await expectRefusal("other-account");
    expect(await database.db.account.count({ where: { userId: user.id } })).toBe(0);
  });

  it("rejects a removed member until they are invited again", async () => {
    oidc.person = { sub: "5", email: "joan@example.com", email_verified: true, name: "Joan" };
    const { browser } = await signIn();
    const { actor } = await whoIs(browser);
    await database.db.member.deleteMany({ where: { userId: actor.id } });
    await expectRefusal("not-a-member");
    await createInvitation(ctx, { email: "joan@example.com", role: "viewer" });
    expect((await whoIs((await signIn()).browser)).actor.id).toBe(actor.id);
  });
});

describe("a malicious provider", () => {
  it("reaches only its own organisation, even for users with other memberships", async () => {
    const email = "hedy@example.com";
    oidc.person = { sub: "6", email, email_verified: true, name: "Hedy" };
    const hedy = { ...ctx, ...(await whoIs((await signIn()).browser)) };
    const other = await createTestOrganization(database.db);
    const { path } = await createInvitation(other, { email, role: "owner" });
    const token = path.replace("/invitations/", "");
    await expect(acceptInvitation(hedy, { token })).rejects.toMatchObject({ code: "forbidden" });
    expect(await findInvitation(database.db, token, ctx.now)).toMatchObject({ account: "other-provider" });

    const { organizationId } = other;
    const member = { id: "mem_hedy", organizationId, userId: hedy.actor.id, role: "owner" };
    await database.db.member.create({ data: member });
    const { browser } = await signIn();
    const thief = { ...ctx, ...(await whoIs(browser)) };
    expect(thief.actor.id).toBe(hedy.actor.id);
    await expect(switchOrganization(thief, { organizationId })).rejects.toMatchObject({ code: "forbidden" });
    expect((await getSession(thief)).organizations.map(({ id }) => id)).toEqual([ctx.organizationId]);
    await database.db.session.updateMany({ data: { activeOrganizationId: organizationId } });
    expect((await whoIs(browser)).organizationId).toBe(ctx.organizationId);
  });
});
