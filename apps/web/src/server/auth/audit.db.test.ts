import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { createFirstOwner, takeSignInAttempt } from "@fairlead/services";
import { createTestOrganization } from "@fairlead/services/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { metrics } from "../metrics.ts";
import { Browser } from "./testing/browser.ts";
import { type AuthWeb, startAuthWeb } from "./testing/web.ts";

const owner = { name: "Ada", email: "ada@example.com", password: "correct horse battery" };
const address = "192.0.2.7";

let database: TestDatabase;
let web: AuthWeb;

beforeAll(async () => {
  database = await createTestDatabase();
  await createFirstOwner(database.db, owner, new Date());
  web = await startAuthWeb(database.db, "only-for-tests-".repeat(3));
  // Our server sets this header on every request, whatever the client sent.
  (globalThis as { fairleadClientHeader?: string }).fairleadClientHeader = "x-known-client";
});
afterAll(async () => {
  delete (globalThis as { fairleadClientHeader?: string }).fairleadClientHeader;
  await web.stop();
  await database.drop();
});
beforeEach(() => database.db.allowance.deleteMany());
afterEach(() => database.db.auditEntry.deleteMany());

function send(browser: Browser, path: string, body: object) {
  return browser.fetch(`${web.url}/api/auth${path}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      origin: web.url,
      "x-known-client": address,
      "x-forwarded-for": "10.9.9.9",
    },
    body: JSON.stringify(body),
  });
}

const signIn = (browser: Browser, password = owner.password, email = owner.email) =>
  send(browser, "/sign-in/email", { email, password });

const entries = (organizationId?: string) =>
  database.db.auditEntry.findMany({
    where: { action: { startsWith: "session." }, ...(organizationId ? { organizationId } : {}) },
    orderBy: [{ at: "asc" }, { id: "asc" }],
  });

/** Other tests of this process may have counted some. */
async function incorrectPasswords(): Promise<number> {
  const line = /^fairlead_web_refused_sign_ins_total\{method="password",reason="incorrect-password"\} (\d+)$/m;
  return Number(line.exec(await metrics().all.page())?.[1] ?? 0);
}

describe("the audit", () => {
  it("has the sign-in and the sign-out of a user, with the client's address", async () => {
    const browser = new Browser();
    expect((await signIn(browser)).status).toBe(200);
    expect((await send(browser, "/sign-out", {})).status).toBe(200);
    const user = await database.db.user.findFirstOrThrow();
    const member = await database.db.member.findFirstOrThrow();
    const common = {
      organizationId: member.organizationId,
      actorKind: "user",
      actorId: user.id,
      actorName: "Ada",
      subjectKind: "member",
      subjectId: member.id,
      before: null,
    };
    expect(await entries()).toMatchObject([
      { ...common, action: "session.start", after: { method: "password", address } },
      { ...common, action: "session.end", after: { reason: "sign-out", address, count: 1 } },
    ]);
  });

  it("doesn't keep a user signed in if it can't be written", async () => {
    const browser = new Browser();
    await signIn(browser);
    const write = vi.spyOn(database.db.member, "findMany").mockRejectedValueOnce(new Error("read-only"));
    expect((await send(browser, "/sign-out", {})).status).toBe(200);
    expect(write).toHaveBeenCalledOnce();
    write.mockRestore();
    expect(await database.db.session.count()).toBe(0);
  });

  it("has no sign-out of a browser that is not signed in", async () => {
    await send(new Browser(), "/sign-out", {});
    expect(await entries()).toEqual([]);
  });

  it("has no sign-out when an expired session is deleted", async () => {
    const browser = new Browser();
    await signIn(browser);
    await database.db.auditEntry.deleteMany();
    await database.db.session.updateMany({ data: { expiresAt: new Date(Date.now() - 1) } });
    await browser.fetch(`${web.url}/api/auth/get-session`);
    expect(await database.db.session.count()).toBe(0);
    expect(await entries()).toEqual([]);
  });

  it("counts wrong passwords in one entry, and those of an unknown email address in none", async () => {
    const before = await incorrectPasswords();
    for (let at = 0; at < 3; at++) {
      expect((await signIn(new Browser(), "guess")).status).toBe(401);
      expect((await signIn(new Browser(), "guess", "unknown@example.com")).status).toBe(401);
    }
    const total = async () => (await entries()).reduce((sum, { after }) => sum + (after as { count: number }).count, 0);
    await vi.waitFor(async () => expect(await total()).toBe(3));
    const found = await entries();
    expect(found.length).toBeLessThanOrEqual(2); // a minute may have ended in between
    expect(found[0]).toMatchObject({
      action: "session.refuse",
      actorKind: "anonymous",
      subjectName: "Ada",
      after: { reason: "incorrect-password", method: "password", address },
    });
    expect(JSON.stringify(found)).not.toContain("unknown@example.com");
    expect((await incorrectPasswords()) - before).toBe(6);
  });

  it("has attempts that were refused before the password was checked", async () => {
    const ahead = new Date(Date.now() + 60_000);
    for (let at = 0; at < 10; at++) await takeSignInAttempt(database.db, { email: owner.email, address }, ahead);
    expect((await signIn(new Browser())).status).toBe(429);
    await vi.waitFor(async () =>
      expect(await entries()).toMatchObject([
        { action: "session.refuse", after: { reason: "too-many-attempts", address, count: 1 } },
      ]),
    );
  });

  it("of each organisation of a user has the sign-in", async () => {
    const other = await createTestOrganization(database.db);
    const user = await database.db.user.findFirstOrThrow();
    const { organizationId } = other;
    await database.db.member.create({ data: { id: "mem_other", organizationId, userId: user.id, role: "viewer" } });
    const unrelated = await createTestOrganization(database.db);
    await signIn(new Browser());
    expect(await entries(organizationId)).toMatchObject([{ action: "session.start", subjectId: "mem_other" }]);
    expect(await entries(unrelated.organizationId)).toEqual([]);
    expect(await entries()).toHaveLength(2);
  });
});
