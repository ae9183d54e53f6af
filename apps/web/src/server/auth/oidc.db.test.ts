import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { callbackPath, providerKey } from "@fairlead/domain/access";
import {
  acceptInvitation,
  acceptInvitationAsNewUser,
  createIdentityProvider,
  createInvitation,
  deleteIdentityProvider,
  findInvitation,
  getSession,
  type ServiceContext,
  switchOrganization,
} from "@fairlead/services";
import { createTestOrganization, settleRefusals } from "@fairlead/services/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { authenticate } from "../authenticate.ts";
import { Browser } from "./testing/browser.ts";
import { type OidcServer, startOidcServer } from "./testing/oidc-server.ts";
import { type AuthWeb, startAuthWeb } from "./testing/web.ts";

let database: TestDatabase;
let ctx: ServiceContext;
let web: AuthWeb;
let oidc: OidcServer;
let providerId: string;
/** The key of the provider, which URLs contain. */
let key: string;
/** What FAIRLEAD_OIDC_ENDPOINTS allows. */
const allowed: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  ctx = await createTestOrganization(database.db);
  key = providerKey(ctx.organizationId, "works");
  web = await startAuthWeb(database.db, ctx.settings.secret, allowed);
  oidc = await startOidcServer(`${web.url}${callbackPath(key)}`);
  allowed.push(oidc.issuer);
  ctx.settings.oidcEndpoints = allowed;
  const provider = await createIdentityProvider(ctx, {
    name: "works",
    issuer: oidc.issuer,
    clientId: oidc.client.id,
    clientSecret: oidc.client.secret,
    domains: ["example.com"],
    defaultRole: "viewer",
  });
  providerId = provider.id;
});

afterAll(async () => {
  await web.stop();
  await oidc.stop();
  await database.drop();
});

beforeEach(() => {
  oidc.person = { sub: "1", email: "ada@example.com", email_verified: true, name: "Ada" };
});

const onCallback = (url: URL) => url.pathname.startsWith("/api/auth/sso/callback/");

async function signIn(browser = new Browser(), returnTo = "/nodes"): Promise<{ browser: Browser; landed: URL }> {
  const { url } = await browser.visit(`${web.url}/sign-in/with/${key}?returnTo=${encodeURIComponent(returnTo)}`);
  return { browser, landed: url };
}

async function invite(email: string): Promise<{ token: string }> {
  const { path } = await createInvitation(ctx, { email, role: "operator" });
  return { token: path.replace("/invitations/", "") };
}

function whoIs(browser: Browser) {
  return authenticate({ auth: web.auth, db: database.db }, browser.headersFor(web.url), new Date());
}

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

describe("the audit of the provider's organisation", () => {
  const entries = (action: string) =>
    database.db.auditEntry.findMany({
      where: { organizationId: ctx.organizationId, action },
      orderBy: [{ at: "asc" }, { id: "asc" }],
    });
  const provider = { actorKind: "anonymous", subjectKind: "identity-provider", subjectName: "works" };
  beforeEach(() => database.db.auditEntry.deleteMany());

  it("has a sign-in, in the organisation of the provider alone", async () => {
    const { actor } = await whoIs((await signIn()).browser);
    const other = await createTestOrganization(database.db);
    const { organizationId } = other;
    const member = { id: "mem_elsewhere", organizationId, userId: actor.id, role: "viewer" };
    await database.db.member.create({ data: member });
    await database.db.auditEntry.deleteMany();
    const { browser } = await signIn();
    await browser.fetch(`${web.url}/api/auth/sign-out`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: web.url },
      body: "{}",
    });
    await database.db.member.delete({ where: { id: member.id } });
    expect(await entries("session.start")).toMatchObject([
      { actorId: actor.id, subjectKind: "member", subjectName: "Ada", after: { method: "provider works" } },
    ]);
    expect(await entries("session.end")).toMatchObject([{ actorId: actor.id, after: { reason: "sign-out" } }]);
    expect(await database.db.auditEntry.count({ where: { organizationId } })).toBe(0);
  });

  it("has users whom the provider may not sign in", async () => {
    oidc.person = { sub: "eve", email: "eve@other.example", email_verified: true, name: "Eve" };
    await signIn();
    await vi.waitFor(async () =>
      expect(await entries("session.refuse")).toMatchObject([
        {
          ...provider,
          after: { reason: "other-domain", method: "provider works", email: "eve@other.example", count: 1 },
        },
      ]),
    );
  });

  it("names the member as whom a provider can't sign in", async () => {
    await signIn();
    oidc.person = { ...oidc.person, email_verified: false };
    await signIn();
    await vi.waitFor(async () =>
      expect(await entries("session.refuse")).toMatchObject([
        { subjectKind: "member", subjectName: "Ada", after: { reason: "unverified-email" } },
      ]),
    );
  });

  it("does not reveal that an email address belongs to a user of another organisation", async () => {
    const other = await createTestOrganization(database.db);
    const user = { id: "usr_mary", name: "Mary", email: "mary@example.com", emailVerified: true };
    await database.db.user.create({ data: user });
    await database.db.member.create({
      data: { id: "mem_mary", organizationId: other.organizationId, userId: user.id, role: "owner" },
    });
    oidc.person = { sub: "mary", email: user.email, email_verified: true, name: "Not Mary" };
    const { landed } = await signIn();
    expect(landed.searchParams.get("error")).toBe("other-account");
    await vi.waitFor(async () =>
      expect(await entries("session.refuse")).toMatchObject([{ ...provider, after: { reason: "not-a-member" } }]),
    );
    expect(JSON.stringify(await entries("session.refuse"))).not.toContain("Mary");
    expect(await database.db.auditEntry.count({ where: { organizationId: other.organizationId } })).toBe(0);
  });

  it("counts failed callbacks, with the error if it is a word", async () => {
    const call = async (error: string) => {
      const browser = new Browser();
      const { url } = await browser.visit(`${web.url}/sign-in/with/${key}`, onCallback);
      const state = url.searchParams.get("state") ?? "";
      await browser.visit(`${web.url}${callbackPath(key)}?${new URLSearchParams({ state, error })}`);
    };
    await call("access_denied");
    await call("=HYPERLINK()");
    await call("x".repeat(5_000));
    const total = async () =>
      (await entries("session.refuse")).reduce((sum, { after }) => sum + (after as { count: number }).count, 0);
    await vi.waitFor(async () => expect(await total()).toBe(3));
    expect((await entries("session.refuse"))[0]).toMatchObject({
      ...provider,
      after: { reason: "failed", method: "provider works", error: expect.stringMatching(/^\w+$/) },
    });
    expect(JSON.stringify(await entries("session.refuse"))).not.toContain("HYPERLINK");
  });

  it("has no callback that no browser started", async () => {
    const { length } = await entries("session.refuse");
    for (const state of ["", "state=made-up&"])
      await new Browser().visit(`${web.url}${callbackPath(key)}?${state}error=access_denied`);
    await settleRefusals();
    expect(await entries("session.refuse")).toHaveLength(length);
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

describe("a callback that this browser did not start", () => {
  async function returnTo(change: (callback: URL) => unknown, browser = new Browser(), other = browser): Promise<URL> {
    const { url: callback } = await browser.visit(`${web.url}/sign-in/with/${key}`, onCallback);
    await change(callback);
    const { url } = await other.visit(callback.href);
    return url;
  }

  it.each<[string, (callback: URL) => void, string]>([
    ["another state", (url) => url.searchParams.set("state", "made-up"), "state_mismatch"],
    ["no state", (url) => url.searchParams.delete("state"), "state_not_found"],
    ["an unknown code", (url) => url.searchParams.set("code", "made-up"), "invalid_provider"],
    [
      "the issuer's refusal",
      (url) => (url.search = `?error=access_denied&state=${url.searchParams.get("state")}`),
      "access_denied",
    ],
  ])("is rejected: %s", async (_what, change, error) => {
    const landed = await returnTo(change);
    expect([landed.pathname, landed.searchParams.get("error")]).toEqual(["/sign-in", error]);
  });

  it("is rejected in another browser", async () => {
    const landed = await returnTo(() => {}, new Browser(), new Browser());
    expect(landed.searchParams.get("error")).toBe("state_mismatch");
  });

  it("is rejected the second time", async () => {
    const browser = new Browser();
    const { url: callback } = await browser.visit(`${web.url}/sign-in/with/${key}`, onCallback);
    await browser.visit(callback.href);
    const again = await browser.visit(callback.href);
    expect(again.url.searchParams.get("error")).toBe("state_mismatch");
  });

  it("is rejected with the code of another sign-in, because only that browser has the verifier", async () => {
    const thief = new Browser();
    const { url: stolen } = await new Browser().visit(`${web.url}/sign-in/with/${key}`, onCallback);
    const landed = await returnTo((url) => url.searchParams.set("code", stolen.searchParams.get("code") ?? ""), thief);
    expect(landed.searchParams.get("error")).toBe("invalid_provider");
    await expect(whoIs(thief)).rejects.toMatchObject({ code: "unauthenticated" });
  });

  it("is rejected with a code that the provider no longer has", async () => {
    const browser = new Browser();
    const { url: callback } = await browser.visit(`${web.url}/sign-in/with/${key}`, onCallback);
    await oidc.restart();
    const { url } = await browser.visit(callback.href);
    expect([url.pathname, url.searchParams.get("error")]).toEqual(["/sign-in", "invalid_provider"]);
  });

  it("is rejected if the token has another issuer", async () => {
    const { ssoProvider } = database.db;
    await ssoProvider.update({ where: { id: providerId }, data: { issuer: "https://elsewhere.example" } });
    const { browser, landed } = await signIn();
    await ssoProvider.update({ where: { id: providerId }, data: { issuer: oidc.issuer } });
    expect([landed.pathname, landed.searchParams.get("error")]).toEqual(["/sign-in", "invalid_provider"]);
    await expect(whoIs(browser)).rejects.toMatchObject({ code: "unauthenticated" });
  });

  it("is rejected if the provider was changed meanwhile", async () => {
    const { ssoProvider } = database.db;
    const landed = await returnTo(async () => {
      await ssoProvider.update({ where: { id: providerId }, data: { issuer: "https://elsewhere.example" } });
    });
    await ssoProvider.update({ where: { id: providerId }, data: { issuer: oidc.issuer } });
    expect([landed.pathname, landed.searchParams.get("error")]).toEqual(["/sign-in", "invalid_state"]);
  });
});

describe("a provider", () => {
  it("of another organisation has the same name, and signs in its own users", async () => {
    const other = { ...(await createTestOrganization(database.db)), settings: ctx.settings };
    const otherKey = providerKey(other.organizationId, "works");
    const server = await startOidcServer(`${web.url}${callbackPath(otherKey)}`);
    allowed.push(server.issuer);
    try {
      const provider = await createIdentityProvider(other, {
        name: "works",
        issuer: server.issuer,
        clientId: server.client.id,
        clientSecret: server.client.secret,
        domains: ["other.example"],
        defaultRole: "operator",
      });
      // The same subject as Ada's at the first provider: a subject is unique only at its own.
      server.person = { sub: "1", email: "ida@other.example", email_verified: true, name: "Ida" };
      const browser = new Browser();
      const callback = await browser.visit(`${web.url}/sign-in/with/${otherKey}`, onCallback);
      expect(callback.url.pathname).toBe(provider.callbackPath);
      await browser.visit(callback.url.href);
      const ida = await whoIs(browser);
      expect(ida).toMatchObject({ organizationId: other.organizationId, actor: { name: "Ida", role: "operator" } });
      const ada = await whoIs((await signIn()).browser);
      expect(ada).toMatchObject({ organizationId: ctx.organizationId, actor: { name: "Ada" } });

      await deleteIdentityProvider(other, provider.id);
      await expect(whoIs(browser)).rejects.toMatchObject({ code: "unauthenticated" });
      const linked = await database.db.account.findMany({ where: { userId: { in: [ida.actor.id, ada.actor.id] } } });
      expect(linked).toMatchObject([{ providerId: key, userId: ada.actor.id }]);
    } finally {
      allowed.splice(allowed.indexOf(server.issuer), 1);
      await server.stop();
    }
  });

  it("created before names were per organisation keeps its URLs", async () => {
    await database.db.ssoProvider.update({ where: { id: providerId }, data: { providerId: "works" } });
    const { url } = await new Browser().visit(
      `${web.url}/sign-in/with/works`,
      (each) => each.host === new URL(oidc.issuer).host,
    );
    await database.db.ssoProvider.update({ where: { id: providerId }, data: { providerId: key } });
    expect(url.searchParams.get("redirect_uri")).toBe(`${web.url}/api/auth/sso/callback/works`);
  });

  it("that is unreachable during sign-in leads back to the sign-in page", async () => {
    const browser = new Browser();
    const { url: callback } = await browser.visit(`${web.url}/sign-in/with/${key}`, onCallback);
    await oidc.stop();
    const { url } = await browser.visit(callback.href);
    expect([url.pathname, url.searchParams.get("error")]).toEqual(["/sign-in", "invalid_provider"]);
    await oidc.restart();
  });

  it("on the internal network that the operator no longer allows is not connected to", async () => {
    const browser = new Browser();
    const { url: callback } = await browser.visit(`${web.url}/sign-in/with/${key}`, onCallback);
    allowed.length = 0;
    try {
      const { url } = await browser.visit(callback.href);
      expect([url.pathname, url.searchParams.get("error")]).toEqual(["/sign-in", "discovery_failed"]);
      const { url: start } = await new Browser().visit(`${web.url}/sign-in/with/${key}`);
      expect([start.pathname, start.searchParams.get("error")]).toEqual(["/sign-in", "provider_unavailable"]);
    } finally {
      allowed.push(oidc.issuer);
    }
  });

  it("that is unknown leads back to the sign-in page", async () => {
    const { url } = await new Browser().visit(`${web.url}/sign-in/with/unknown`);
    expect([url.pathname, url.searchParams.get("error")]).toEqual(["/sign-in", "provider_unavailable"]);
  });

  it("that is deleted ends all sessions that started with it", async () => {
    const { browser } = await signIn();
    await deleteIdentityProvider(ctx, providerId);
    await expect(whoIs(browser)).rejects.toMatchObject({ code: "unauthenticated" });
  });
});
