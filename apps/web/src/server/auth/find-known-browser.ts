import type { Db } from "@fairlead/db";
import { type KnownBrowser, markOfPassword, openKnownBrowser } from "@fairlead/services";

/**
 * findKnownBrowser returns the browser of a cookie, if the user with this email address has signed in there before with the
 * present password. For any other user it is unknown: an invited member must not get further attempts at the passwords of
 * others. An intruder who knew an earlier password must not have any.
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
  if (user?.email.toLowerCase() !== email.trim().toLowerCase()) return null;
  return (await markOfPassword(db, known.userId)) === known.passwordMark ? known : null;
}
