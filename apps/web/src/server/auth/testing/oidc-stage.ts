import { createTestDatabase } from "@fairlead/db/testing";
import { callbackPath, providerKey } from "@fairlead/domain/access";
import { createIdentityProvider, createInvitation } from "@fairlead/services";
import { createTestOrganization, settleRefusals } from "@fairlead/services/testing";
import { authenticate } from "../../authenticate.ts";
import { Browser } from "./browser.ts";
import { startOidcServer } from "./oidc-server.ts";
import { startAuthWeb } from "./web.ts";

/** startOidcStage starts the dashboard's sign-in and an identity provider that an organisation has registered. */
export async function startOidcStage() {
  const database = await createTestDatabase();
  const ctx = await createTestOrganization(database.db);
  /** The key of the provider, which URLs contain. */
  const key = providerKey(ctx.organizationId, "works");
  /** What FAIRLEAD_OIDC_ENDPOINTS allows. */
  const allowed: string[] = [];
  const web = await startAuthWeb(database.db, ctx.settings.secret, allowed);
  const oidc = await startOidcServer(`${web.url}${callbackPath(key)}`);
  allowed.push(oidc.issuer);
  ctx.settings.oidcEndpoints = allowed;
  const { id: providerId } = await createIdentityProvider(ctx, {
    name: "works",
    issuer: oidc.issuer,
    clientId: oidc.client.id,
    clientSecret: oidc.client.secret,
    domains: ["example.com"],
    defaultRole: "viewer",
  });
  return {
    ...{ database, ctx, web, oidc, allowed, key, providerId },
    /** becomeAda lets the user of the browser be Ada, whom the provider has verified. */
    becomeAda() {
      oidc.person = { sub: "1", email: "ada@example.com", email_verified: true, name: "Ada" };
    },
    async signIn(browser = new Browser(), returnTo = "/nodes"): Promise<{ browser: Browser; landed: URL }> {
      const { url } = await browser.visit(`${web.url}/sign-in/with/${key}?returnTo=${encodeURIComponent(returnTo)}`);
      return { browser, landed: url };
    },
    async invite(email: string): Promise<{ token: string }> {
      const { path } = await createInvitation(ctx, { email, role: "operator" });
      return { token: path.replace("/invitations/", "") };
    },
    whoIs: (browser: Browser) =>
      authenticate({ auth: web.auth, db: database.db }, browser.headersFor(web.url), new Date()),
    async stop() {
      await web.stop();
      await settleRefusals();
      await oidc.stop();
      await database.drop();
    },
  };
}

/** Stops a visit where the provider sends the browser back. */
export const onCallback = (url: URL) => url.pathname.startsWith("/api/auth/sso/callback/");
