import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { Browser } from "./testing/browser.ts";
import { onCallback, startOidcStage } from "./testing/oidc-stage.ts";

const stage = await startOidcStage();
const { database, key, oidc, providerId, signIn, web, whoIs } = stage;
afterAll(stage.stop);
beforeEach(stage.becomeAda);

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
