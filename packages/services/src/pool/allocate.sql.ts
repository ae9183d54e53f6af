import type { Tx } from "@fairlead/db";
import { DomainError, newId, notFound, numberToAddress, parsePrefix, usableRange } from "@fairlead/domain";

/**
 * allocateAddress takes the lowest free address of a pool for a load balancer. The pool's row is locked for the
 * rest of the transaction, so two allocations never see the same gap; the unique index is the second belt.
 */
export async function allocateAddress(
  tx: Tx,
  organizationId: string,
  poolId: string,
  loadBalancerId: string,
  now: Date,
): Promise<string> {
  const [pool] = await tx.$queryRaw<{ name: string; prefix: string }[]>`
    SELECT name, prefix::text AS prefix FROM address_pool WHERE id = ${poolId} AND organization_id = ${organizationId} FOR UPDATE`;
  if (!pool) throw notFound("address pool", poolId);
  const address = await findFreeAddress(tx, poolId, pool.prefix);
  if (!address) throw poolExhausted(pool);
  await tx.virtualAddress.create({
    data: { id: newId("virtualAddress", now), organizationId, poolId, loadBalancerId, address, allocatedAt: now },
  });
  return address;
}

/** releaseAddress gives a load balancer's address back. It needs no lock: a gap that opens late is only filled later. */
export async function releaseAddress(tx: Tx, loadBalancerId: string): Promise<void> {
  await tx.virtualAddress.deleteMany({ where: { loadBalancerId } });
}

export function poolExhausted(pool: { name: string; prefix: string }): DomainError {
  return new DomainError(
    "exhausted",
    `Every address of the pool ${pool.name} (${pool.prefix}) is taken. Add a pool, or delete what no longer needs its address.`,
    { fields: [{ path: ["strategy", "poolId"], message: "this pool has no free address" }] },
  );
}

/** findFreeAddress answers the lowest address that nobody has, or null: the first one, or one past an address that is taken. */
export async function findFreeAddress(tx: Tx, poolId: string, prefixText: string): Promise<string | null> {
  const prefix = parsePrefix(prefixText);
  if ("problem" in prefix) throw new Error(`stored prefix ${prefixText}: ${prefix.problem}`);
  const { first, last } = usableRange(prefix);
  const lowest = numberToAddress(first, prefix.family);
  const highest = numberToAddress(last, prefix.family);
  // The gap is found in one walk along the index. The very last address is never asked for its successor: it may have none.
  const [row] = await tx.$queryRaw<{ address: string }[]>`
    SELECT host(candidate) AS address FROM (
      SELECT ${lowest}::inet AS candidate
      WHERE NOT EXISTS (SELECT 1 FROM virtual_address WHERE pool_id = ${poolId} AND address = ${lowest}::inet)
      UNION ALL (
        SELECT address + 1 FROM (
          SELECT address, lead(address) OVER (ORDER BY address) AS next FROM virtual_address WHERE pool_id = ${poolId}
        ) AS taken
        WHERE CASE WHEN next IS NULL THEN address < ${highest}::inet ELSE next > address + 1 END
        ORDER BY address LIMIT 1
      )
    ) AS candidates ORDER BY candidate LIMIT 1`;
  return row?.address ?? null;
}
