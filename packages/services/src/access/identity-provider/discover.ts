import type { LookupFunction } from "node:net";
import { DomainError, invalid } from "@fairlead/domain";
import { isPublicAddress, serverProblem } from "@fairlead/domain/address";
import { openHttp, publicLookup, readText } from "@fairlead/http";
import { z } from "zod";
import type { ServiceContext } from "../../context.ts";
import type { OidcConfig } from "./config.ts";

const timeoutMs = 5_000;
const maxBytes = 256 * 1024;

const document = z.object({
  issuer: z.url(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  userinfo_endpoint: z.url().optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
});

export type Discovered = Omit<OidcConfig, "clientId" | "clientSecret" | "scopes" | "pkce">;

/**
 * discoverIssuer fetches an issuer's endpoints. It runs when a provider is set up, so that a wrong address is reported
 * to the user who entered it and not, weeks later, to a user who wants to sign in.
 */
export async function discoverIssuer(
  { settings, logDetail }: Pick<ServiceContext, "settings" | "logDetail">,
  issuer: string,
): Promise<Discovered> {
  const allowed = settings.oidcEndpoints ?? [];
  checkEndpoint(issuer, allowed);
  const base = issuer.replace(/\/+$/, "");
  const discoveryEndpoint = `${base}/.well-known/openid-configuration`;
  const fail = (error: unknown) => {
    logDetail?.("OpenID Connect discovery failed", { issuer, err: error });
    throw unusable(discoveryEndpoint);
  };
  const answer = await fetchJson(discoveryEndpoint, allowed).catch(fail);
  const parsed = document.safeParse(answer);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const field = issue?.path.join(".");
    if (!field) return fail(parsed.error);
    throw refused(
      `${discoveryEndpoint} is not an OpenID Connect discovery document: ${field} is missing or not a URL.`,
    );
  }
  const found = parsed.data;
  if (found.issuer.replace(/\/+$/, "") !== base)
    throw refused(`The server's metadata has another issuer. Set the issuer to ${found.issuer}.`);
  const endpoints = [
    found.authorization_endpoint,
    found.token_endpoint,
    found.jwks_uri,
    found.userinfo_endpoint ?? base,
  ];
  for (const endpoint of endpoints) checkEndpoint(endpoint, allowed);
  await Promise.all(endpoints.map((endpoint) => checkName(endpoint, allowed))).catch(fail);
  return {
    issuer: found.issuer,
    discoveryEndpoint,
    authorizationEndpoint: found.authorization_endpoint,
    tokenEndpoint: found.token_endpoint,
    tokenEndpointAuthentication: authenticationOf(found.token_endpoint_auth_methods_supported),
    jwksEndpoint: found.jwks_uri,
    ...(found.userinfo_endpoint ? { userInfoEndpoint: found.userinfo_endpoint } : {}),
  };
}

function checkEndpoint(endpoint: string, allowed: readonly string[]): void {
  const problem = serverProblem(new URL(endpoint), allowed, "FAIRLEAD_OIDC_ENDPOINTS");
  if (problem) throw refused(`${endpoint} can't be used: ${problem}.`);
}

/**
 * checkName refuses a name that resolves to an internal address. Sign-ins connect to these endpoints, and check them again
 * then (docs/decisions/0003-access-verbs.md).
 */
async function checkName(endpoint: string, allowed: readonly string[]): Promise<void> {
  const lookup = lookupFor(endpoint, allowed);
  const { hostname } = new URL(endpoint);
  if (!lookup || hostname.startsWith("[")) return;
  await new Promise<void>((resolve, reject) => {
    lookup(hostname, {}, (error) => (error ? reject(error) : resolve()));
  });
}

/** Only servers that the operator has allowed may have an internal address. */
function lookupFor(endpoint: string, allowed: readonly string[]): LookupFunction | undefined {
  return allowed.includes(new URL(endpoint).origin) ? undefined : publicLookup(isPublicAddress);
}

async function fetchJson(url: string, allowed: readonly string[]): Promise<unknown> {
  const client = openHttp({ connectTimeoutMs: timeoutMs, maxConnections: 1, lookup: lookupFor(url, allowed) });
  try {
    const { status, body } = await client.send({
      url: new URL(url),
      headers: { accept: "application/json" },
      firstByteTimeoutMs: timeoutMs,
      timeoutMs,
    });
    if (status !== 200) throw new Error(`the response has status ${status}`);
    return JSON.parse(await readText(body, maxBytes));
  } finally {
    await client.close();
  }
}

function authenticationOf(supported: string[] | undefined): OidcConfig["tokenEndpointAuthentication"] {
  // Basic is the standard's default.
  if (!supported || supported.includes("client_secret_basic")) return "client_secret_basic";
  if (supported.includes("client_secret_post")) return "client_secret_post";
  throw refused(`The issuer requires client authentication by ${supported.join(" or ")}; Fairlead uses a secret.`);
}

/** The same for every reason: otherwise, a member could find out which hosts and ports are open. */
function unusable(url: string): DomainError {
  return refused(
    `No OpenID Connect discovery document could be read from ${url}. Check the issuer; the log of the dashboard has the reason.`,
  );
}

function refused(message: string): DomainError {
  const { fields } = invalid(["issuer"], message);
  return new DomainError("invalid", message, { fields });
}
