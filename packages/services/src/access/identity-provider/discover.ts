import { DomainError, invalid } from "@fairlead/domain";
import { openHttp, ResponseTooLong, readText } from "@fairlead/http";
import { z } from "zod";
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
export async function discoverIssuer(issuer: string): Promise<Discovered> {
  checkTransport(issuer, issuer);
  const base = issuer.replace(/\/+$/, "");
  const discoveryEndpoint = `${base}/.well-known/openid-configuration`;
  const parsed = document.safeParse(await fetchJson(discoveryEndpoint));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const field = issue?.path.join(".");
    throw notOidc(discoveryEndpoint, field ? `${field} is missing or not a URL` : "the response is not a JSON object");
  }
  const found = parsed.data;
  if (found.issuer.replace(/\/+$/, "") !== base)
    throw refused(`The server's metadata has another issuer. Set the issuer to ${found.issuer}.`);
  for (const endpoint of [found.authorization_endpoint, found.token_endpoint, found.jwks_uri, found.userinfo_endpoint])
    if (endpoint) checkTransport(endpoint, issuer);
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

/** Plain HTTP would expose codes and tokens on the network; on loopback there is no network. */
function checkTransport(address: string, issuer: string): void {
  const url = new URL(address);
  if (url.protocol === "https:" || isLoopback(url.hostname)) return;
  throw refused(`${address} is not encrypted: ${issuer} must be served with https.`);
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

async function fetchJson(url: string): Promise<unknown> {
  const client = openHttp({ connectTimeoutMs: timeoutMs, maxConnections: 1 });
  try {
    const { status, body } = await client.send({
      url: new URL(url),
      headers: { accept: "application/json" },
      firstByteTimeoutMs: timeoutMs,
      timeoutMs,
    });
    if (status !== 200) throw notOidc(url, `the response has status ${status}`);
    return JSON.parse(await readText(body, maxBytes));
  } catch (error) {
    if (error instanceof DomainError) throw error;
    if (error instanceof SyntaxError) throw notOidc(url, "the response is not JSON");
    if (error instanceof ResponseTooLong) throw notOidc(url, `the response is larger than ${maxBytes / 1024} KiB`);
    throw refused(`${new URL(url).host} can't be reached (${reason(error)}); check the address.`, error);
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

function reason(error: unknown): string {
  const { name = "", code = "" } = error as { name?: string; code?: string };
  if (name === "TimeoutError" || /TIMEOUT/.test(code)) return `no answer within ${timeoutMs / 1000} s`;
  switch (code) {
    case "ECONNREFUSED":
      return "connection refused";
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return "no such host";
    case "":
      return "no connection";
    default:
      return code;
  }
}

function notOidc(url: string, why: string): DomainError {
  return refused(`${url} is not an OpenID Connect discovery document: ${why}.`);
}

function refused(message: string, cause?: unknown): DomainError {
  const { fields } = invalid(["issuer"], message);
  return new DomainError("invalid", message, { fields, cause });
}
