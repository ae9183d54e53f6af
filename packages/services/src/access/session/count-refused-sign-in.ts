import type { Db } from "@fairlead/db";
import { emailAddress } from "@fairlead/domain/access";
import { subscriberOf } from "@fairlead/domain/address";
import { countRefusal } from "../../audit/count-refusal.ts";
import type { CountedRefusal } from "../../audit/counted-entry.sql.ts";
import { type Occurrences, signInRefusals } from "../../audit/refusal-queue.ts";
import type { Refusal } from "../identity-provider/admit.ts";
import { findSessionPlaces } from "./session-places.ts";

type OnFault = (error: unknown) => void;

const anonymous = { kind: "anonymous", id: "anonymous", name: "Anonymous client" } as const;
const refusedSignIn = { action: "session.refuse", bySubscriber: true } as const;

/** A refused attempt with a password. */
export type RefusedPassword = {
  email: string;
  address: string | null;
  reason: "incorrect-password" | "too-many-attempts";
  /** Absent for a sign-in. A password change asks a signed-in user for the current password. */
  method?: "password change";
};

/**
 * countRefusedPassword counts a refused attempt, in the background, in the audit of each organisation of the user with this
 * email address. For an unknown address it writes nothing: no organisation could read it, and any client could write it.
 */
export function countRefusedPassword(db: Db, refused: RefusedPassword, now: Date, onFault?: OnFault): void {
  const email = emailAddress.safeParse(refused.email).data;
  if (email === undefined) return;
  const key = ["password", email, originOf(refused.address), refused.reason, refused.method].join(" ");
  const write = (occurrences: Occurrences) => writePassword(db, { ...refused, email }, occurrences);
  signInRefusals.add({ key, write, onFault }, now);
}

/** Refusals of one subscriber are counted together, before any query. */
function originOf(address: string | null): string {
  return address ? subscriberOf(address) : "unknown";
}

async function writePassword(db: Db, refused: RefusedPassword, occurrences: Occurrences): Promise<void> {
  const { email, reason, address, method } = refused;
  const user = await db.user.findUnique({ where: { email }, select: { id: true } });
  if (!user) return;
  for (const place of await findSessionPlaces(db, { userId: user.id }))
    await countRefusal(
      db,
      {
        ...refusedSignIn,
        organizationId: place.organizationId,
        actor: method ? { kind: "user", id: user.id, name: place.userName } : anonymous,
        subject: { kind: "member", id: place.memberId, name: place.userName },
        reason,
        address,
        details: { method: method ?? "password" },
      },
      occurrences,
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
 * countRefusedByProvider counts a refused attempt, in the background, in the audit of the provider's organisation: as one about
 * the member whom the provider identified, or else about the provider.
 */
export function countRefusedByProvider(db: Db, refused: RefusedByProvider, now: Date, onFault?: OnFault): void {
  const { provider, identity, address, reason } = refused;
  const key = ["provider", provider, identity?.subject, identity?.email, originOf(address), reason].join(" ");
  signInRefusals.add({ key, write: (occurrences) => writeProvider(db, refused, occurrences), onFault }, now);
}

async function writeProvider(db: Db, refused: RefusedByProvider, occurrences: Occurrences): Promise<void> {
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
      actor: anonymous,
      subject,
      reason: shownReason(refused.reason),
      address: refused.address,
      details: {
        method: `provider ${provider.name}`,
        ...refused.details,
        ...(email.success ? { email: email.data } : {}),
      },
    },
    occurrences,
  );
}

/** Whether the email address belongs to a user of another organisation is not disclosed to this one. */
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
