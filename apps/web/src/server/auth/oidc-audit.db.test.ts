import { callbackPath } from "@fairlead/domain/access";
import { createTestOrganization, settleRefusals } from "@fairlead/services/testing";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { Browser } from "./testing/browser.ts";
import { onCallback, startOidcStage } from "./testing/oidc-stage.ts";

const stage = await startOidcStage();
const { ctx, database, key, oidc, signIn, web, whoIs } = stage;
afterAll(stage.stop);
beforeEach(stage.becomeAda);

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
