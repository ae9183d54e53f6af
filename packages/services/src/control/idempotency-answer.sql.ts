import type { Db, Tx } from "@fairlead/db";
import { inBatches } from "./in-batches.ts";

export type KeptAnswer = {
  key: string;
  requestDigest: string;
  sealedBody: string;
  createdAt: Date;
};

/** lockAnswer claims a key until the transaction ends. It returns false when another request has it. */
export async function lockAnswer(tx: Tx, organizationId: string, key: string): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ locked: boolean }[]>`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${`idempotency ${organizationId} ${key}`}, 0)) AS locked`;
  return row?.locked ?? false;
}

export async function findAnswer(
  tx: Tx,
  organizationId: string,
  key: string,
  since: Date,
): Promise<Pick<KeptAnswer, "requestDigest" | "sealedBody"> | null> {
  const [row] = await tx.$queryRaw<{ requestDigest: string; sealedBody: string }[]>`
    SELECT request_digest AS "requestDigest", body ->> 'sealed' AS "sealedBody" FROM idempotency_key
    WHERE organization_id = ${organizationId} AND key = ${key} AND created_at >= ${since}`;
  return row ?? null;
}

/** keepAnswer stores the answer, replacing an expired one. */
export async function keepAnswer(tx: Tx, organizationId: string, answer: KeptAnswer): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO idempotency_key (organization_id, key, request_digest, body, created_at)
    VALUES (${organizationId}, ${answer.key}, ${answer.requestDigest},
      jsonb_build_object('sealed', ${answer.sealedBody}::text), ${answer.createdAt})
    ON CONFLICT (organization_id, key) DO UPDATE
    SET request_digest = excluded.request_digest, body = excluded.body, created_at = excluded.created_at`;
}

/** sweepIdempotencyKeys deletes expired answers, a bounded number at a time, and returns how many. */
export async function sweepIdempotencyKeys(db: Db, before: Date): Promise<number> {
  return inBatches(
    (most) => db.$executeRaw`
      DELETE FROM idempotency_key WHERE (organization_id, key) IN (
        SELECT organization_id, key FROM idempotency_key WHERE created_at < ${before} ORDER BY created_at LIMIT ${most})`,
  );
}
