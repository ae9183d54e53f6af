import { DomainError } from "@fairlead/domain";
import { isSameHost, ownOrigins } from "./auth/trusted-origins.ts";

const harmless = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * checkSameOrigin refuses a change that another site made a browser send: the cookie comes along by itself, so it
 * proves nothing about who wants the change. A program that is no browser sends neither header and has no cookie that
 * somebody else could abuse.
 */
export function checkSameOrigin(method: string, headers: Headers, ownUrl: string): void {
  if (harmless.has(method)) return;
  const origin = headers.get("origin");
  if (origin === null && !isCrossSite(headers)) return;
  if (origin !== null && (ownOrigins(ownUrl).includes(origin) || isSameHost(origin, headers))) return;
  throw new DomainError(
    "forbidden",
    `Changes with a session cookie are taken from ${ownUrl} only. Programs send an API key.`,
  );
}

function isCrossSite(headers: Headers): boolean {
  const site = headers.get("sec-fetch-site");
  return site !== null && site !== "same-origin" && site !== "none";
}
