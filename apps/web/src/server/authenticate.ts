import type { Db } from "@fairlead/db";
import { DomainError } from "@fairlead/domain";
import type { Actor } from "@fairlead/domain/access";
import { resolveSession } from "@fairlead/services";
import type { Auth } from "./auth/create-auth.ts";
import { authenticateKey } from "./authenticate-key.ts";

/**
 * authenticate identifies the sender of a request: by an API key ("Authorization: Bearer fl_…" or "X-Api-Key: fl_…"),
 * else by the session cookie. It throws if there is neither, or if it has expired. An invalid key never falls back to a
 * cookie, so that the caller notices it.
 */
export async function authenticate(
  { auth, db }: { auth: Auth; db: Db },
  headers: Headers,
  now: Date,
): Promise<{ actor: Actor; organizationId: string }> {
  const key = presentedKey(headers);
  if (key) return authenticateKey(db, key, headers, now);
  // The dashboard extends the session with its own requests to /api/auth/get-session, which can set the cookie.
  const found = await auth.api.getSession({ headers, query: { disableRefresh: true } });
  if (!found) throw new DomainError("unauthenticated", "You are signed out. Sign in, or send an API key.");
  const { id, userId, activeOrganizationId, boundOrganizationId } = found.session;
  const organizationId = boundOrganizationId ?? activeOrganizationId ?? null;
  return resolveSession(db, { id, userId, organizationId });
}

/** presentedKey returns the key of a request; null if it uses a cookie. */
export function presentedKey(headers: Headers): string | null {
  const bearer = /^Bearer\s+(\S+)$/i.exec(headers.get("authorization")?.trim() ?? "");
  return bearer?.[1] ?? headers.get("x-api-key");
}
