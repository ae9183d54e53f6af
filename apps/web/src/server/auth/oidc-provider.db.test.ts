import { callbackPath, providerKey } from "@fairlead/domain/access";
import { createIdentityProvider, deleteIdentityProvider } from "@fairlead/services";
import { createTestOrganization } from "@fairlead/services/testing";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { Browser } from "./testing/browser.ts";
import { startOidcServer } from "./testing/oidc-server.ts";
import { onCallback, startOidcStage } from "./testing/oidc-stage.ts";

const stage = await startOidcStage();
const { allowed, ctx, database, key, oidc, providerId, signIn, web, whoIs } = stage;
afterAll(stage.stop);
beforeEach(stage.becomeAda);

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
