/** The paths on which better-auth connects to an identity provider. */
const providerPaths = /^\/api\/auth\/(sign-in\/sso$|sso\/callback\/)/;

/**
 * trustedOrigins returns the origins that may send requests: our own, under both loopback names if the machine serves
 * itself, and under the browser's host name. During a provider sign-in, better-auth also connects to a trusted origin without
 * checking that it is on the internet. So these are then our own and those that the operator has allowed, and none that the
 * client wrote.
 */
export function trustedOrigins(
  ownUrl: string,
  oidcEndpoints: readonly string[],
  request: Request | undefined,
): string[] {
  const own = ownOrigins(ownUrl);
  if (!request) return own;
  if (providerPaths.test(new URL(request.url).pathname)) return [...own, ...oidcEndpoints];
  const origin = request.headers.get("origin");
  return origin !== null && isSameHost(origin, request.headers, ownUrl) ? [...own, origin] : own;
}

/** ownOrigins are the origins of our own pages. */
export function ownOrigins(url: string): string[] {
  const { origin, hostname, protocol, port } = new URL(url);
  const twin = { localhost: "127.0.0.1", "127.0.0.1": "localhost" }[hostname];
  return twin ? [origin, `${protocol}//${twin}${port ? `:${port}` : ""}`] : [origin];
}

/**
 * isSameHost reports whether a page of the requested host sent the request. Requests for host names that aren't ours were
 * refused before (refuseOtherHosts). Of the public host, only its own scheme counts: anyone on the network can write a page
 * for it without HTTPS.
 */
export function isSameHost(origin: string, headers: Headers, ownUrl: string): boolean {
  const host = headers.get("host");
  if (host === null || !URL.canParse(origin)) return false;
  const from = new URL(origin);
  const own = new URL(ownUrl);
  return from.host === host && (from.host !== own.host || from.protocol === own.protocol);
}
