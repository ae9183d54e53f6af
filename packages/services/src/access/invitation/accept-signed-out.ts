import { type Db, inTransaction } from "@fairlead/db";
import { conflict, DomainError } from "@fairlead/domain";
import type { AcceptInvitationAsNewUser } from "@fairlead/domain/access";
import { createPasswordUser, hashPassword, matchesPassword } from "../password-user.ts";
import { takeSignInAttempt } from "../session/sign-in-allowance.ts";
import { findInvitation } from "./find.ts";
import { joinOrganization, notOpen, takeInvitation } from "./join.ts";

/** What a user who has just joined signs in with. */
export type Joined = { email: string };

/** acceptInvitationAsNewUser creates an account for the invited user; the link proves the email address. */
export async function acceptInvitationAsNewUser(db: Db, input: AcceptInvitationAsNewUser, now: Date): Promise<Joined> {
  // Hashing costs much time and memory, and anyone may send this. takeInvitation decides, below.
  if (!(await findInvitation(db, input.token, now))) throw notOpen();
  const passwordHash = await hashPassword(input.password);
  return inTransaction(db, async (tx) => {
    const { email, ...offer } = await takeInvitation(tx, input.token, now);
    const known = await tx.user.findUnique({ where: { email } });
    if (known) throw conflict(`${email} has an account already; accept with its password.`);
    const user = await createPasswordUser(tx, { name: input.name, email, passwordHash }, now);
    await joinOrganization(tx, offer, { ...user, email }, now);
    return { email };
  });
}

/** acceptInvitationWithPassword is for a user who has an account but, without a membership, can't sign in with it. */
export async function acceptInvitationWithPassword(
  db: Db,
  input: { token: string; password: string },
  now: Date,
): Promise<Joined> {
  const open = await findInvitation(db, input.token, now);
  if (open) await takeSignInAttempt(db, { email: open.email, address: null }, now);
  return inTransaction(db, async (tx) => {
    const { email, ...offer } = await takeInvitation(tx, input.token, now);
    const user = await tx.user.findUnique({ where: { email } });
    // Thrown inside the transaction: a wrong password does not use up the link.
    if (!user || !(await matchesPassword(tx, user.id, input.password)))
      throw new DomainError("unauthenticated", "Incorrect password for this account.");
    await joinOrganization(tx, offer, user, now);
    return { email };
  });
}
