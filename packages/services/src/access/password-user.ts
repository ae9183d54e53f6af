import { createHash } from "node:crypto";
import { hashPassword, verifyPassword } from "@better-auth/utils/password";
import type { Tx } from "@fairlead/db";
import { newId } from "@fairlead/domain";

// A user with a password, in the tables and the format of better-auth, which reads them at sign-in.

const passwordProvider = "credential";

/** createPasswordUser creates a user. Callers must have proof that the email address is theirs. */
export async function createPasswordUser(
  tx: Tx,
  person: { name: string; email: string; passwordHash: string },
  now: Date,
): Promise<{ id: string; name: string }> {
  const id = newId("user", now);
  await tx.user.create({
    data: { id, name: person.name, email: person.email, emailVerified: true, createdAt: now },
  });
  await tx.account.create({
    data: {
      id,
      accountId: id,
      providerId: passwordProvider,
      userId: id,
      password: person.passwordHash,
      createdAt: now,
    },
  });
  return { id, name: person.name };
}

/** matchesPassword reports whether this is the user's password. */
export async function matchesPassword(tx: Tx, userId: string, password: string): Promise<boolean> {
  const account = await tx.account.findFirst({
    where: { userId, providerId: passwordProvider },
    omit: { password: false },
  });
  return account?.password ? verifyPassword(account.password, password) : false;
}

/** markOfPassword returns a text that changes with the user's password and doesn't reveal it; null without a password. */
export async function markOfPassword(tx: Tx, userId: string): Promise<string | null> {
  const account = await tx.account.findFirst({
    where: { userId, providerId: passwordProvider },
    omit: { password: false },
  });
  return account?.password ? createHash("sha256").update(account.password).digest("hex").slice(0, 16) : null;
}

/** setPassword replaces the password of a user who has one. */
export async function setPassword(tx: Tx, userId: string, passwordHash: string): Promise<void> {
  await tx.account.updateMany({ where: { userId, providerId: passwordProvider }, data: { password: passwordHash } });
}

export { hashPassword };
