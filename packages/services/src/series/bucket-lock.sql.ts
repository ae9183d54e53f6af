import { Prisma, type Tx } from "@fairlead/db";

// Writers of samples lock a bucket shared, a roll-up locks it exclusively. So a roll-up never misses a sample
// whose transaction is still open, and the task that this sample needs is never deleted meanwhile.

const lockClass = { minute: 0x66_6c_01, hour: 0x66_6c_02 } as const;
const bucketMs = { minute: 60_000, hour: 3_600_000 } as const;

export type RolledResolution = keyof typeof bucketMs;

export async function holdBuckets(tx: Tx, resolution: RolledResolution, bucketsAtMs: readonly number[]): Promise<void> {
  const numbers = [...new Set(bucketsAtMs.map((at) => at / bucketMs[resolution]))].sort((a, b) => a - b);
  await tx.$executeRaw`
    SELECT pg_advisory_xact_lock_shared(${Prisma.raw(String(lockClass[resolution]))}, number) FROM unnest(${numbers}::int4[]) AS number`;
}

/** tryBucketAlone returns false while the bucket is being written to or rolled up. */
export async function tryBucketAlone(tx: Tx, resolution: RolledResolution, bucketAt: Date): Promise<boolean> {
  const number = bucketAt.getTime() / bucketMs[resolution];
  const [row] = await tx.$queryRaw<{ got: boolean }[]>`
    SELECT pg_try_advisory_xact_lock(${Prisma.raw(String(lockClass[resolution]))}, ${number}::int4) AS got`;
  return row?.got ?? false;
}
