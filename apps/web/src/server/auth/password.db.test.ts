import { hashPassword } from "@better-auth/utils/password";
import { openDb } from "@fairlead/db";
import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import {
  createFirstOwner,
  recheckSession,
  removeMember,
  type ServiceContext,
  takeSignInAttempt,
} from "@fairlead/services";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { authenticate } from "../authenticate.ts";
import { Browser } from "./testing/browser.ts";
import { type AuthWeb, startAuthWeb } from "./testing/web.ts";

const secret = "only-for-tests-".repeat(3);
const owner = { name: "Ada", email: "ada@example.com", password: "correct horse battery" };
const weekMs = 7 * 24 * 3_600_000;

let database: TestDatabase;
let web: AuthWeb;

beforeAll(async () => {
  database = await createTestDatabase();
  await createFirstOwner(database.db, owner, new Date());
  web = await startAuthWeb(database.db, secret);
});

afterAll(async () => {
  await web.stop();
  await database.drop();
});

beforeEach(async () => {
  await database.db.allowance.deleteMany();
});

function send(browser: Browser, path: string, body?: object, headers: Record<string, string> = {}) {
  return browser.fetch(`${web.url}/api/auth${path}`, {
    method: body ? "POST" : "GET",
    headers: { "content-type": "application/json", origin: web.url, ...headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
}

function signIn(browser: Browser, password = owner.password, email = owner.email, headers = {}) {
  return send(browser, "/sign-in/email", { email, password }, headers);
}

function whoIs(browser: Browser) {
  return authenticate({ auth: web.auth, db: database.db }, browser.headersFor(web.url), new Date());
}

/** Attempts made elsewhere, a minute ahead, so that no attempt is available again when the test continues. */
async function spend(attempts: number, attempt: { email: string; address: string | null }): Promise<void> {
  const ahead = new Date(Date.now() + 60_000);
  for (let at = 0; at < attempts; at++) await takeSignInAttempt(database.db, attempt, ahead);
}

/** Our server sets this header on every request, whatever the client sent. */
async function withClientHeader<Result>(work: () => Promise<Result>): Promise<Result> {
  const known = globalThis as { fairleadClientHeader?: string };
  known.fairleadClientHeader = "x-known-client";
  try {
    return await work();
  } finally {
    delete known.fairleadClientHeader;
  }
}

it("answers that it is unavailable, and when to retry, while the database can't be reached", async () => {
  const unreachable = openDb("postgresql://fairlead@127.0.0.1:1/none");
  const cut = await startAuthWeb(unreachable, secret);
  const answer = await new Browser().fetch(`${cut.url}/api/auth/sign-in/email`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: cut.url },
    body: JSON.stringify({ email: owner.email, password: owner.password }),
  });
  expect(answer.status).toBe(503);
  expect(answer.headers.get("retry-after")).toBe("2");
  expect(await answer.json()).toEqual({ code: "UNAVAILABLE", message: expect.stringContaining("unreachable") });
  await cut.stop();
  await unreachable.$disconnect();
});

describe("signing in with a password", () => {
  it("creates a session of seven days in a cookie that scripts can't read", async () => {
    const browser = new Browser();
    const answer = await signIn(browser);
    expect(answer.status).toBe(200);
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^fairlead\.session_token=.+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/),
      expect.stringMatching(/^fairlead\.known_browser=[\w.-]+; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
    const { actor, organizationId } = await whoIs(browser);
    expect(actor).toMatchObject({ kind: "user", name: "Ada", role: "owner" });
    const session = await database.db.session.findFirstOrThrow();
    expect(session.activeOrganizationId).toBe(organizationId);
    expect(session.expiresAt.getTime() - Date.now()).toBeGreaterThan(weekMs - 60_000);
  });

  it("records the client address that our server determined, and none that the client wrote", async () => {
    const addressAfter = async (headers: Record<string, string>) => {
      await signIn(new Browser(), owner.password, owner.email, headers);
      return (await database.db.session.findFirstOrThrow({ orderBy: { createdAt: "desc" } })).ipAddress;
    };
    expect(await addressAfter({ "x-forwarded-for": "10.9.9.9" })).toBeNull();
    const stamped = { "x-known-client": "2001:db8::7", "x-forwarded-for": "10.9.9.9" };
    expect(await withClientHeader(() => addressAfter(stamped))).toBe("2001:db8::7");
  });

  it("sends the session token only in that cookie", async () => {
    const browser = new Browser();
    const signedIn = await (await signIn(browser)).text();
    const session = await (await send(browser, "/get-session")).text();
    const { token } = await database.db.session.findFirstOrThrow({
      orderBy: { createdAt: "desc" },
      omit: { token: false },
    });
    expect(browser.headersFor(web.url).get("cookie")).toContain(token);
    expect(JSON.parse(session)).toMatchObject({ user: { email: owner.email } });
    expect(`${signedIn}${session}`).not.toContain(token);
  });

  it("works under both names of this machine", async () => {
    const answer = await signIn(new Browser(), owner.password, owner.email, {
      origin: web.url.replace("127.0.0.1", "localhost"),
    });
    expect(answer.status).toBe(200);
  });

  it("rejects a post from a page of another site", async () => {
    const answer = await signIn(new Browser(), owner.password, owner.email, { origin: "https://evil.example" });
    expect(answer.status).toBe(403);
  });

  it("returns the same error for a wrong password and an unknown user", async () => {
    const wrong = await signIn(new Browser(), "wrong password");
    const unknown = await signIn(new Browser(), "wrong password", "unknown@example.com");
    expect([wrong.status, await wrong.json()]).toEqual([unknown.status, await unknown.json()]);
    expect(wrong.status).toBe(401);
  });

  it("blocks an email address after too many attempts from one network address, and returns for how long", async () => {
    await spend(10, { email: owner.email, address: null });
    const refused = await signIn(new Browser());
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    const message = expect.stringMatching(/^Too many attempts\. Try again in \d+ s\.$/);
    expect(await refused.json()).toMatchObject({ message });
  });

  it("blocks a network address that tries many users", async () => {
    for (let at = 0; at < 30; at++) await spend(1, { email: `p${at}@example.com`, address: "10.1.1.1" });
    const from = (address: string) =>
      signIn(new Browser(), owner.password, owner.email, { "x-known-client": address, "x-forwarded-for": "10.9.9.9" });
    await withClientHeader(async () => {
      expect((await from("10.1.1.1")).status).toBe(429);
      expect((await from("10.1.1.2")).status).toBe(200);
    });
  });

  describe("while anonymous clients use up all attempts for an email address", () => {
    const lockOut = async () => {
      for (let at = 0; at < 10; at++) await spend(10, { email: owner.email, address: `10.2.2.${at}` });
      expect((await signIn(new Browser())).status).toBe(429);
    };

    it("admits a browser in which the user signed in before, and limits its own attempts", async () => {
      const browser = new Browser();
      await signIn(browser);
      await send(browser, "/sign-out", {});
      await lockOut();
      for (let at = 0; at < 9; at++) expect((await signIn(browser, "guess")).status).toBe(401);
      expect((await signIn(browser)).status).toBe(200);
      for (let at = 0; at < 10; at++) await signIn(browser, "guess");
      expect((await signIn(browser)).status).toBe(429);
    });

    it("rejects a browser in which only another user signed in", async () => {
      const browser = new Browser();
      await signIn(browser);
      const other = "known@example.com";
      for (let at = 0; at < 10; at++) await spend(10, { email: other, address: `10.2.2.${at}` });
      expect((await signIn(browser, "guess", other)).status).toBe(429);
    });

    it("rejects a browser in which the user signed in with an earlier password", async () => {
      const browser = new Browser();
      await signIn(browser);
      const user = await database.db.user.findUniqueOrThrow({ where: { email: owner.email } });
      const account = { userId: user.id, providerId: "credential" };
      const { password } = await database.db.account.findFirstOrThrow({ where: account, omit: { password: false } });
      // The same password with another salt: only its hash decides.
      await database.db.account.updateMany({
        where: account,
        data: { password: await hashPassword(owner.password) },
      });
      await lockOut();
      expect((await signIn(browser)).status).toBe(429);
      await database.db.account.updateMany({ where: account, data: { password } });
      expect((await signIn(browser)).status).toBe(200);
    });

    it("rejects a browser with a cookie that this installation did not sign", async () => {
      await lockOut();
      const cookie = "fairlead.known_browser=v1.000000000000.AAAA";
      expect((await signIn(new Browser(), owner.password, owner.email, { cookie })).status).toBe(429);
    });
  });

  it("counts wrong passwords, and resets the count after the right one", async () => {
    expect((await signIn(new Browser(), "guess")).status).toBe(401);
    const name = { startsWith: "sign-in:pair:" };
    expect(await database.db.allowance.count({ where: { name } })).toBe(1);
    expect((await signIn(new Browser())).status).toBe(200);
    expect(await database.db.allowance.count({ where: { name } })).toBe(0);
  });
});

describe("a session", () => {
  it("ends for streams too when the user signs out", async () => {
    const browser = new Browser();
    await signIn(browser);
    const { actor, organizationId } = await whoIs(browser);
    expect(await recheckSession(database.db, actor, organizationId, new Date())).toBe("none");
    expect((await send(browser, "/sign-out", {})).status).toBe(200);
    expect(await recheckSession(database.db, actor, organizationId, new Date())).toBe("over");
    await expect(whoIs(browser)).rejects.toMatchObject({ code: "unauthenticated" });
  });

  it("is rejected, and no longer live, once it has expired", async () => {
    const browser = new Browser();
    await signIn(browser);
    const { actor, organizationId } = await whoIs(browser);
    const id = actor.kind === "user" ? (actor.sessionId ?? "") : "";
    await database.db.session.update({ where: { id }, data: { expiresAt: new Date(Date.now() - 1) } });
    expect(await recheckSession(database.db, actor, organizationId, new Date())).toBe("over");
    await expect(whoIs(browser)).rejects.toMatchObject({ code: "unauthenticated" });
  });

  it("is extended, with its cookie, when it is used after a day", async () => {
    const browser = new Browser();
    await signIn(browser);
    const { actor } = await whoIs(browser);
    const id = actor.kind === "user" ? (actor.sessionId ?? "") : "";
    await database.db.session.update({ where: { id }, data: { expiresAt: new Date(Date.now() + weekMs / 2) } });
    const answer = await send(browser, "/get-session");
    expect(answer.headers.getSetCookie().join()).toContain("Max-Age=604800");
    const { expiresAt } = await database.db.session.findUniqueOrThrow({ where: { id } });
    expect(expiresAt.getTime() - Date.now()).toBeGreaterThan(weekMs - 60_000);
  });

  it("of a removed member is rejected on the next request, and no new one is created", async () => {
    const browser = new Browser();
    await signIn(browser);
    const { actor, organizationId } = await whoIs(browser);
    const second = { id: "usr_second", name: "Bob", email: "bob@example.com", emailVerified: true };
    await database.db.user.create({ data: second });
    const member = { id: "mem_second", organizationId, userId: second.id, role: "owner" };
    await database.db.member.create({ data: member });
    const ctx: ServiceContext = {
      db: database.db,
      actor: { kind: "user", id: second.id, name: second.name, role: "owner" },
      organizationId,
      now: new Date(),
      settings: { url: "", gatewayUrl: "", secret },
    };
    const ada = await database.db.member.findFirstOrThrow({ where: { userId: actor.id } });
    await removeMember(ctx, ada.id);
    await expect(whoIs(browser)).rejects.toMatchObject({ code: "unauthenticated" });
    expect(await recheckSession(database.db, actor, organizationId, new Date())).toBe("over");
    const again = await signIn(new Browser());
    expect([again.status, await again.json()]).toEqual([403, expect.objectContaining({ code: "NOT_A_MEMBER" })]);
  });
});

describe("endpoints that are not exposed", () => {
  it.each([
    ["POST", "/sign-up/email"],
    ["POST", "/update-user"],
    ["POST", "/change-email"],
    ["POST", "/delete-user"],
    ["POST", "/sso/register"],
    ["GET", "/sso/providers"],
    ["POST", "/sign-in/sso"],
    ["POST", "/sign-in/social"],
    ["GET", "/list-sessions"],
    ["GET", "/ok"],
    ["DELETE", "/get-session"],
  ])("%s %s", async (method, path) => {
    const answer = await new Browser().fetch(`${web.url}/api/auth${path}`, { method, headers: { origin: web.url } });
    expect(answer.status).toBe(404);
  });
});
