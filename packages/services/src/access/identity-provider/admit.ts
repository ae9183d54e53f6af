import type { Tx } from "@fairlead/db";
import { newId, showDirectionControls } from "@fairlead/domain";
import { emailAddress, type Role, role } from "@fairlead/domain/access";
import { recordChange } from "../../control/record-change.ts";
import { joinOrganization } from "../invitation/join.ts";

/** The claims of a provider about a user, once its token was verified. */
export type ProvenIdentity = {
  /** The key of the provider. */
  provider: string;
  subject: string;
  email: string;
  emailVerified: boolean;
  name: string;
};

export const refusals = ["unverified-email", "other-domain", "other-account", "not-a-member"] as const;
export type Refusal = (typeof refusals)[number];
export type Admission = { userId: string; organizationId: string; provider: string } | { refusal: Refusal };

type Provider = { key: string; name: string; organizationId: string; defaultRole: Role };

/**
 * admitIdentity maps a provider's verified identity to a user. A provider is trusted for its own domains, for email
 * addresses it has verified, and only in its own organisation: it can't take over the account of a user who belongs to
 * another one too. A removed member is rejected until invited again.
 */
export async function admitIdentity(tx: Tx, identity: ProvenIdentity, now: Date): Promise<Admission> {
  const row = await tx.ssoProvider.findUnique({ where: { providerId: identity.provider } });
  const email = emailAddress.safeParse(identity.email);
  if (!row?.organizationId || !email.success) return { refusal: "not-a-member" };
  if (!identity.emailVerified) return { refusal: "unverified-email" };
  if (!row.domain.split(",").includes(email.data.split("@")[1] ?? "")) return { refusal: "other-domain" };

  const provider = {
    key: row.providerId,
    name: row.name,
    organizationId: row.organizationId,
    defaultRole: role.parse(row.defaultRole),
  };
  const person = { email: email.data, name: showDirectionControls(identity.name.trim()).slice(0, 100) || email.data };
  const account = await tx.account.findFirst({
    where: { providerId: provider.key, accountId: identity.subject },
    select: { userId: true },
  });
  return account ? admitKnown(tx, provider, account.userId, now) : admitByEmail(tx, provider, person, now);
}

/** A user who signed in with this provider before. Their address may have changed since; the account stays the same. */
async function admitKnown(tx: Tx, provider: Provider, userId: string, now: Date): Promise<Admission> {
  const user = await tx.user.findUniqueOrThrow({ where: { id: userId }, include: { members: true } });
  return admitUser(tx, provider, user, now);
}

async function admitByEmail(
  tx: Tx,
  provider: Provider,
  person: { email: string; name: string },
  now: Date,
): Promise<Admission> {
  const { organizationId } = provider;
  const user = await tx.user.findUnique({ where: { email: person.email }, include: { members: true } });
  if (user) {
    const isElsewhere = user.members.some((each) => each.organizationId !== organizationId);
    if (isElsewhere) return { refusal: "other-account" };
    const admission = await admitUser(tx, provider, user, now);
    if ("userId" in admission) await recordLink(tx, provider, user, now);
    return admission;
  }
  const offered = await takeOpenInvitation(tx, organizationId, person.email, now);
  const id = newId("user", now);
  await tx.user.create({ data: { ...person, id, emailVerified: true, createdAt: now } });
  await joinOrganization(tx, { organizationId, role: offered ?? provider.defaultRole }, { ...person, id }, now);
  return { userId: id, organizationId, provider: provider.name };
}

/** From now on the provider opens an existing account: that belongs in the audit. */
async function recordLink(tx: Tx, provider: Provider, user: { id: string; name: string }, now: Date): Promise<void> {
  const { organizationId } = provider;
  const member = await tx.member.findUniqueOrThrow({
    where: { organizationId_userId: { organizationId, userId: user.id } },
  });
  const actor = { kind: "user" as const, id: user.id, name: user.name, role: role.parse(member.role) };
  await recordChange(
    tx,
    { actor, organizationId, now },
    {
      action: "member.link",
      subjectKind: "member",
      subjectId: member.id,
      subjectName: user.name,
      clusterId: null,
      before: null,
      after: { identityProvider: provider.name },
    },
  );
}

async function admitUser(
  tx: Tx,
  { organizationId, name }: Provider,
  user: { id: string; name: string; email: string; members: { organizationId: string }[] },
  now: Date,
): Promise<Admission> {
  const admitted = { userId: user.id, organizationId, provider: name };
  if (user.members.some((each) => each.organizationId === organizationId)) return admitted;
  const offered = await takeOpenInvitation(tx, organizationId, user.email, now);
  if (!offered) return { refusal: "not-a-member" };
  await joinOrganization(tx, { organizationId, role: offered }, user, now);
  return admitted;
}

/** Signing in accepts an open invitation for this address, which decides the role. */
async function takeOpenInvitation(tx: Tx, organizationId: string, email: string, now: Date): Promise<Role | null> {
  const where = { organizationId, email, acceptedAt: null, expiresAt: { gt: now } };
  const [taken] = await tx.invitation.updateManyAndReturn({ where, data: { acceptedAt: now } });
  return taken ? role.parse(taken.role) : null;
}
