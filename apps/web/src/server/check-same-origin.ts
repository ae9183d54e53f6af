import { DomainError } from "@fairlead/domain";
import { isSameHost, ownOrigins } from "./auth/trusted-origins.ts";

const harmless = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * checkSameOrigin rejects a change that another site made a browser send: cookies are sent automatically, so they don't
 * prove the user's intent. A program that is not a browser sends neither header and has no cookie to abuse.
 */
export function checkSameOrigin(method: string, headers: Headers, ownUrl: string): void {
  if (harmless.has(method)) return;
  const origin = headers.get("origin");
  if (origin === null && !isCrossSite(headers)) return;
  if (origin !== null && (ownOrigins(ownUrl).includes(origin) || isSameHost(origin, headers))) return;
  throw new DomainError(
    "forbidden",
    `Changes with a session cookie are only accepted from ${ownUrl}. Programs must use an API key.`,
  );
}

function isCrossSite(headers: Headers): boolean {
  const site = headers.get("sec-fetch-site");
  return site !== null && site !== "same-origin" && site !== "none";
}
