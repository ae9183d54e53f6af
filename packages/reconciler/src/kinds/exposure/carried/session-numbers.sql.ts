import type { Tx } from "@fairlead/db";
import { planSessionNumbers, type SessionNumber } from "@fairlead/domain/load-balancer";

/** setSessionNumbers gives each instance with a backend a number, and releases those of others. The caller has locked the exposure. */
export async function setSessionNumbers(tx: Tx, exposureId: string, now: Date): Promise<void> {
  const backends = await tx.backend.findMany({
    where: { loadBalancer: { exposureId } },
    distinct: ["instance"],
    select: { instance: true },
  });
  const before = await tx.sessionNumber.findMany({
    where: { exposureId },
    select: { instance: true, number: true, releasedAt: true },
  });
  const instances = backends.map((each) => each.instance);
  const after = planSessionNumbers(before, instances, now);
  const known = new Map(before.map((each) => [each.instance, each]));
  const kept = new Set(after.map((each) => each.instance));
  const dropped = before.filter((each) => !kept.has(each.instance)).map((each) => each.instance);
  if (dropped.length > 0) await tx.sessionNumber.deleteMany({ where: { exposureId, instance: { in: dropped } } });
  await write(
    tx,
    exposureId,
    after.filter((each) => isNews(known.get(each.instance), each)),
  );
}

function isNews(before: SessionNumber | undefined, { number, releasedAt }: SessionNumber): boolean {
  return before?.number !== number || before.releasedAt?.getTime() !== releasedAt?.getTime();
}

async function write(tx: Tx, exposureId: string, rows: readonly SessionNumber[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO session_number (exposure_id, instance, number, released_at)
    SELECT ${exposureId}, * FROM unnest(${rows.map((each) => each.instance)}::text[], ${rows.map((each) => each.number)}::int[],
      ${rows.map((each) => each.releasedAt)}::timestamptz[])
    ON CONFLICT (exposure_id, instance) DO UPDATE SET number = excluded.number, released_at = excluded.released_at`;
}
