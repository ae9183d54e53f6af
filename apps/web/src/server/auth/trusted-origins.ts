import type { Db } from "@fairlead/db";
import type { OidcConfig } from "@fairlead/services";

/** The name of the identity provider in better-auth's URLs. */
const startPath = "/api/auth/sign-in/sso";
const callbackPattern = /^\/api\/auth\/sso\/callback\/([a-z0-9-]+)$/;

/**
 * trustedOrigins returns the origins that may send requests: our own, under both loopback names if the machine serves
 * itself, and under the browser's host name. During a provider sign-in, requests to the provider's configured servers
 * are also allowed, even on a private network, which better-auth rejects otherwise.
 */
export async function trustedOrigins(db: Db, ownUrl: string, request: Request | undefined): Promise<string[]> {
  const origin = request?.headers.get("origin") ?? null;
  const here = request && origin !== null && isSameHost(origin, request.headers) ? [origin] : [];
  const own = [...ownOrigins(ownUrl), ...here];
  const provider = request ? providerOf(request) : null;
  return provider ? [...own, ...(await originsOf(db, provider))] : own;
}

/** ownOrigins are the origins of our own pages. */
export function ownOrigins(url: string): string[] {
  const { origin, hostname, protocol, port } = new URL(url);
  const twin = { localhost: "127.0.0.1", "127.0.0.1": "localhost" }[hostname];
  return twin ? [origin, `${protocol}//${twin}${port ? `:${port}` : ""}`] : [origin];
}

/**
 * isSameHost reports whether a page of the requested host sent the request. Requests for host names that aren't ours were
 * refused before (refuseOtherHosts).
 */
export function isSameHost(origin: string, headers: Headers): boolean {
  const host = headers.get("host");
  return host !== null && URL.canParse(origin) && new URL(origin).host === host;
}

function providerOf(request: Request): string | null {
  const url = new URL(request.url);
  if (url.pathname === startPath) return url.searchParams.get("provider");
  return callbackPattern.exec(url.pathname)?.[1] ?? null;
}

async function originsOf(db: Db, providerId: string): Promise<string[]> {
  const row = await db.ssoProvider.findUnique({ where: { providerId } });
  if (!row?.oidcConfig) return [];
  const config = JSON.parse(row.oidcConfig) as OidcConfig;
  const endpoints = [
    config.discoveryEndpoint,
    config.authorizationEndpoint,
    config.tokenEndpoint,
    config.jwksEndpoint,
    config.userInfoEndpoint ?? config.issuer,
  ];
  return [...new Set(endpoints.map((endpoint) => new URL(endpoint).origin))];
}
