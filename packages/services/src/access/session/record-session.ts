import type { Tx } from "@fairlead/db";
import { type Author, recordAuditEntry } from "../../control/record-audit-entry.ts";
import { findSessionPlaces, type PlacedSession, type SessionPlace } from "./session-places.ts";

/** How a user signed in: with a password, or with an identity provider of this name. */
export type SignInMethod = "password" | `provider ${string}`;

/** Why a session ended before it expired. */
export type SessionEndReason =
  | "sign-out"
  | "password-change"
  | "member-removal"
  | "provider-removal"
  /** Another organisation of the user ended it. Its name is not disclosed to this organisation. */
  | "other-organization";

/** recordSessionStart writes the audit entries of a sign-in. */
export async function recordSessionStart(
  tx: Tx,
  session: PlacedSession,
  { method, address, now }: { method: SignInMethod; address: string | null; now: Date },
): Promise<void> {
  for (const place of await findSessionPlaces(tx, session))
    await recordAuditEntry(tx, authorAt(place, session.userId, now), {
      action: "session.start",
      ...subjectOf(place),
      before: null,
      after: { method, address },
    });
}

/** recordSignOut writes the audit entries of a session that its user ended. */
export async function recordSignOut(
  tx: Tx,
  session: PlacedSession,
  { address, now }: { address: string | null; now: Date },
): Promise<void> {
  for (const place of await findSessionPlaces(tx, session))
    await recordSessionEnd(tx, authorAt(place, session.userId, now), place, { reason: "sign-out", address, count: 1 });
}

export async function recordSessionEnd(
  tx: Tx,
  author: Author,
  place: SessionPlace,
  after: { reason: SessionEndReason; address: string | null; count: number },
): Promise<void> {
  await recordAuditEntry(tx, author, { action: "session.end", ...subjectOf(place), before: null, after });
}

function subjectOf({ memberId, userName }: SessionPlace) {
  return { subjectKind: "member" as const, subjectId: memberId, subjectName: userName };
}

function authorAt({ organizationId, userName }: SessionPlace, userId: string, now: Date): Author {
  return { actor: { kind: "user", id: userId, name: userName }, organizationId, now };
}
