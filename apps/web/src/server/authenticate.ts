import type { Db } from "@fairlead/db";
import { type Actor, DomainError } from "@fairlead/domain";
import { authenticateApiKey, resolveSession } from "@fairlead/services";
import type { Auth } from "./auth/create-auth.ts";

/**
 * authenticate finds out who sends a request: a key ("Authorization: Bearer fl_…" or "X-Api-Key: fl_…"), else the
 * session cookie. It throws when there is neither, or one that is over. A key that is wrong never falls back to a
 * cookie, so that a caller learns of it.
 */
export async function authenticate(
  { auth, db }: { auth: Auth; db: Db },
  headers: Headers,
  now: Date,
): Promise<{ actor: Actor; organizationId: string }> {
  const key = presentedKey(headers);
  if (key) return authenticateApiKey(db, key, now);
  // The session is prolonged by the dashboard's own requests to /api/auth/get-session, which can set the cookie anew.
  const found = await auth.api.getSession({ headers, query: { disableRefresh: true } });
  if (!found) throw new DomainError("unauthenticated", "You are signed out. Sign in, or send an API key.");
  const { id, userId, activeOrganizationId, boundOrganizationId } = found.session;
  const organizationId = boundOrganizationId ?? activeOrganizationId ?? null;
  return resolveSession(db, { id, userId, organizationId });
}

/** presentedKey is the key that a request came with; null when it relies on a cookie. */
export function presentedKey(headers: Headers): string | null {
  const bearer = /^Bearer\s+(\S+)$/i.exec(headers.get("authorization")?.trim() ?? "");
  return bearer?.[1] ?? headers.get("x-api-key");
}
