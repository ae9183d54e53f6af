import type { Db } from "@fairlead/db";
import { countRefusal } from "../../audit/count-refusal.ts";
import { keyRefusals } from "../../audit/refusal-queue.ts";

export type RefusedKey = {
  id: string;
  name: string;
  organizationId: string;
  reason: "revoked" | "expired" | "not-permitted";
  address: string | null;
  /** The operation that the key may not perform. */
  operation?: string;
};

/**
 * countRefusedKey counts refused requests with a key of an organisation: one audit entry per key, reason and minute. It is
 * written in the background, so the database must not be that of a transaction.
 */
export function countRefusedKey(db: Db, refused: RefusedKey, now: Date, onFault?: (error: unknown) => void): void {
  const { id, name, organizationId, reason, address, operation } = refused;
  const refusal = {
    organizationId,
    action: "api-key.refuse",
    actor: { kind: "api-key", id, name },
    subject: { kind: "api-key", id, name },
    reason,
    address,
    ...(operation ? { details: { operation } } : {}),
    bySubscriber: false,
  } as const;
  const key = `${id} ${reason}`;
  keyRefusals.add({ key, write: (occurrences) => countRefusal(db, refusal, occurrences), onFault }, now);
}
