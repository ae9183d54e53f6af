import type { Db } from "@fairlead/db";
import { emailAddress } from "@fairlead/domain/access";
import { countRefusal } from "../../audit/count-refusal.ts";
import type { CountedRefusal } from "../../audit/counted-entry.sql.ts";
import type { Refusal } from "../identity-provider/admit.ts";
import { findSessionPlaces } from "./session-places.ts";

const anonymous = { kind: "anonymous", id: "anonymous", name: "Anonymous client" } as const;
const refusedSignIn = { action: "session.refuse", actor: anonymous, bySubscriber: true } as const;

/** A refused attempt with a password. */
export type RefusedPassword = {
  email: string;
  address: string | null;
  reason: "incorrect-password" | "too-many-attempts";
};

/**
 * countRefusedPassword counts a refused attempt in the audit of each organisation of the user with this email address. For
 * an unknown address it writes nothing: no organisation could read it, and any client could write it.
 */
export async function countRefusedPassword(db: Db, refused: RefusedPassword, now: Date): Promise<void> {
  const email = emailAddress.safeParse(refused.email);
  const user = email.success ? await db.user.findUnique({ where: { email: email.data }, select: { id: true } }) : null;
  if (!user) return;
  for (const place of await findSessionPlaces(db, { userId: user.id }))
    await countRefusal(
      db,
      {
        ...refusedSignIn,
        organizationId: place.organizationId,
        subject: { kind: "member", id: place.memberId, name: place.userName },
        reason: refused.reason,
        address: refused.address,
        details: { method: "password" },
      },
      now,
    );
}

/** A refused attempt with an identity provider, and the user if the provider identified one. */
export type RefusedByProvider = {
  /** The key of the provider. */
  provider: string;
  identity: { subject: string; email: string } | null;
  address: string | null;
  reason: Refusal | "failed";
  details?: Record<string, string>;
};

/**
 * countRefusedByProvider counts a refused attempt in the audit of the provider's organisation: as one about the member whom the
 * provider identified, or else about the provider.
 */
export async function countRefusedByProvider(db: Db, refused: RefusedByProvider, now: Date): Promise<void> {
  const provider = await db.ssoProvider.findUnique({
    where: { providerId: refused.provider },
    select: { id: true, name: true, organizationId: true },
  });
  if (!provider?.organizationId) return;
  const { organizationId } = provider;
  const email = emailAddress.safeParse(refused.identity?.email);
  const subject =
    (await findMember(db, organizationId, refused)) ??
    ({ kind: "identity-provider", id: provider.id, name: provider.name } as const);
  await countRefusal(
    db,
    {
      ...refusedSignIn,
      organizationId,
      subject,
      reason: shownReason(refused.reason),
      address: refused.address,
      details: {
        method: `provider ${provider.name}`,
        ...refused.details,
        ...(email.success ? { email: email.data } : {}),
      },
    },
    now,
  );
}

/** Whether the email address belongs to a user of another organisation is not for this one to know. */
function shownReason(reason: RefusedByProvider["reason"]): string {
  return reason === "other-account" ? "not-a-member" : reason;
}

async function findMember(
  db: Db,
  organizationId: string,
  { provider, identity }: RefusedByProvider,
): Promise<CountedRefusal["subject"] | null> {
  if (!identity) return null;
  const email = emailAddress.safeParse(identity.email);
  const account = { accounts: { some: { providerId: provider, accountId: identity.subject } } };
  const member = await db.member.findFirst({
    where: { organizationId, user: email.success ? { OR: [account, { email: email.data }] } : account },
    select: { id: true, user: { select: { name: true } } },
  });
  return member ? { kind: "member", id: member.id, name: member.user.name } : null;
}
