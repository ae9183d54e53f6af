import { DomainError } from "@fairlead/domain";
import { isSameHost, ownOrigins } from "./auth/trusted-origins.ts";

const harmless = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * checkSameOrigin rejects a change that another site made a browser send: cookies are sent automatically, so they don't
 * prove the user's intent. A program that is not a browser sends neither header and has no cookie to abuse.
 */
export function checkSameOrigin(method: string, headers: Headers, ownUrl: string): void {
  if (isOwnRequest(method, headers, ownUrl)) return;
  throw new DomainError(
    "forbidden",
    `Changes with a session cookie are only accepted from ${ownUrl}. Programs must use an API key.`,
  );
}

/** isOwnRequest reports whether a request changes nothing, or was sent by our own pages or by a program. */
export function isOwnRequest(method: string, headers: Headers, ownUrl: string): boolean {
  if (harmless.has(method)) return true;
  const origin = headers.get("origin");
  if (origin === null) return !isCrossSite(headers);
  return ownOrigins(ownUrl).includes(origin) || isSameHost(origin, headers, ownUrl);
}

function isCrossSite(headers: Headers): boolean {
  const site = headers.get("sec-fetch-site");
  return site !== null && site !== "same-origin" && site !== "none";
}
