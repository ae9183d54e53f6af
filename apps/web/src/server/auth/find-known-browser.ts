import type { Db } from "@fairlead/db";
import { type KnownBrowser, openKnownBrowser } from "@fairlead/services";

/**
 * findKnownBrowser returns the browser of a cookie, if the user with this email address has signed in there before. For any
 * other user it is unknown: an invited member must not get further attempts at the passwords of others.
 */
export async function findKnownBrowser(
  db: Db,
  secret: string,
  { presented, email }: { presented: string | null; email: string },
  now: Date,
): Promise<KnownBrowser | null> {
  const known = presented ? openKnownBrowser(secret, presented, now) : null;
  if (!known) return null;
  const user = await db.user.findUnique({ where: { id: known.userId }, select: { email: true } });
  return user?.email.toLowerCase() === email.trim().toLowerCase() ? known : null;
}
