import type { Db } from "@fairlead/db";
import { type Role, role } from "@fairlead/domain/access";
import { hashSecretToken } from "../secret-token.ts";

/**
 * How the invited user proves their identity: they have no account yet, one with a password, or a provider only. A
 * provider of another organisation is not accepted here.
 */
export type InvitedAccount = "none" | "password" | "provider" | "other-provider";

export type OpenInvitation = { email: string; role: Role; organizationName: string; account: InvitedAccount };

/** findInvitation returns what a link offers to its holder, or null when it is used, expired or unknown. */
export async function findInvitation(db: Db, token: string, now: Date): Promise<OpenInvitation | null> {
  const found = await db.invitation.findFirst({
    where: { tokenHash: hashSecretToken(token), acceptedAt: null, expiresAt: { gt: now } },
  });
  if (!found) return null;
  const [organization, user] = await Promise.all([
    db.organization.findUnique({ where: { id: found.organizationId }, select: { name: true } }),
    db.user.findUnique({
      where: { email: found.email },
      select: {
        accounts: { select: { providerId: true } },
        members: { where: { organizationId: { not: found.organizationId } }, select: { id: true }, take: 1 },
      },
    }),
  ]);
  if (!organization) return null;
  const account = user ? await accountOf(db, user, found.organizationId) : "none";
  return { email: found.email, role: role.parse(found.role), organizationName: organization.name, account };
}

async function accountOf(
  db: Db,
  { accounts, members }: { accounts: { providerId: string }[]; members: object[] },
  organizationId: string,
): Promise<InvitedAccount> {
  const providers = accounts.map((each) => each.providerId);
  if (providers.includes("credential")) return "password";
  if (members.length === 0) return "provider";
  const own = await db.ssoProvider.count({ where: { organizationId, providerId: { in: providers } } });
  return own > 0 ? "provider" : "other-provider";
}
