import type { Db } from "@fairlead/db";
import { countRefusal } from "../../audit/count-refusal.ts";

export type RefusedKey = {
  id: string;
  name: string;
  organizationId: string;
  reason: "revoked" | "expired" | "not-permitted";
  address: string | null;
  /** The operation that the key may not perform. */
  operation?: string;
};

/** countRefusedKey counts refused requests with a key of an organisation: one audit entry per key, reason and minute. */
export async function countRefusedKey(db: Db, refused: RefusedKey, now: Date): Promise<void> {
  const { id, name, organizationId, reason, address, operation } = refused;
  await countRefusal(
    db,
    {
      organizationId,
      action: "api-key.refuse",
      actor: { kind: "api-key", id, name },
      subject: { kind: "api-key", id, name },
      reason,
      address,
      ...(operation ? { details: { operation } } : {}),
      bySubscriber: false,
    },
    now,
  );
}
