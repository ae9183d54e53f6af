import type { Db } from "@fairlead/db";
import { type Role, role } from "@fairlead/domain";
import { hashSecretToken } from "../secret-token.ts";

/** How the invited person proves who they are: they have no account yet, one with a password, or one of a provider only. */
export type InvitedAccount = "none" | "password" | "provider";

export type OpenInvitation = { email: string; role: Role; organizationName: string; account: InvitedAccount };

/** findInvitation tells the holder of a link what it is good for, or null when it is used, expired or none of ours. */
export async function findInvitation(db: Db, token: string, now: Date): Promise<OpenInvitation | null> {
  const found = await db.invitation.findFirst({
    where: { tokenHash: hashSecretToken(token), acceptedAt: null, expiresAt: { gt: now } },
  });
  if (!found) return null;
  const [organization, user] = await Promise.all([
    db.organization.findUnique({ where: { id: found.organizationId }, select: { name: true } }),
    db.user.findUnique({
      where: { email: found.email },
      select: { accounts: { where: { providerId: "credential" }, select: { id: true } } },
    }),
  ]);
  if (!organization) return null;
  const account = !user ? "none" : user.accounts.length > 0 ? "password" : "provider";
  return { email: found.email, role: role.parse(found.role), organizationName: organization.name, account };
}
