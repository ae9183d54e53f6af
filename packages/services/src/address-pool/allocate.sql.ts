import type { Tx } from "@fairlead/db";
import { DomainError, newId, notFound } from "@fairlead/domain";
import { numberToAddress, parsePrefix, usableRange } from "@fairlead/domain/address";

/**
 * lockFreeAddress finds the lowest free address of a pool. The pool's row is locked for the rest of the transaction, so
 * that no other transaction finds the same gap before it is taken; the unique index is the second safeguard.
 */
export async function lockFreeAddress(tx: Tx, organizationId: string, poolId: string): Promise<string> {
  const [pool] = await tx.$queryRaw<{ name: string; prefix: string }[]>`
    SELECT name, prefix::text AS prefix FROM address_pool WHERE id = ${poolId} AND organization_id = ${organizationId} FOR UPDATE`;
  if (!pool) throw notFound("address pool", poolId);
  const address = await findFreeAddress(tx, poolId, pool.prefix);
  if (!address) throw poolExhausted(pool);
  return address;
}

/** takeAddress assigns a free address to a load balancer. */
export async function takeAddress(
  tx: Tx,
  held: { organizationId: string; poolId: string; loadBalancerId: string; address: string },
  now: Date,
): Promise<void> {
  await tx.virtualAddress.create({ data: { id: newId("virtualAddress", now), ...held, allocatedAt: now } });
}

/**
 * releaseAddress gives up a load balancer's address. One that may be in use outside stays taken until it is observed to
 * be unused. It needs no lock: a gap that opens late is only filled later.
 */
export async function releaseAddress(tx: Tx, loadBalancerId: string, mayBeInUse: boolean): Promise<void> {
  const where = { loadBalancerId };
  if (mayBeInUse)
    await tx.virtualAddress.updateMany({ where, data: { loadBalancerId: null, releasedById: loadBalancerId } });
  else await tx.virtualAddress.deleteMany({ where });
}

/** findReleased finds an address of the pool that a load balancer gave up and that is not free yet. */
export async function findReleased(tx: Tx, poolId: string, loadBalancerId: string): Promise<string | null> {
  const [row] = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM virtual_address WHERE released_by_id = ${loadBalancerId} AND pool_id = ${poolId} ORDER BY address LIMIT 1 FOR UPDATE`;
  return row?.id ?? null;
}

/** reclaimAddress gives such an address back to the load balancer. */
export async function reclaimAddress(tx: Tx, id: string, loadBalancerId: string): Promise<void> {
  await tx.virtualAddress.update({ where: { id }, data: { loadBalancerId, releasedById: null } });
}

/**
 * freeReleasedAddresses frees the former addresses of an exposure's balancers, except for those still in use outside.
 * It returns their pools, and how many are still taken.
 */
export async function freeReleasedAddresses(
  tx: Tx,
  exposureId: string,
  stillInUse: string[],
): Promise<{ poolIds: string[]; remaining: number }> {
  const freed = await tx.$queryRaw<{ poolId: string }[]>`
    DELETE FROM virtual_address USING load_balancer
    WHERE load_balancer.id = virtual_address.released_by_id AND load_balancer.exposure_id = ${exposureId}
      AND address_key(host(virtual_address.address)) <> ALL(
        ARRAY(SELECT address_key(each) FROM unnest(${stillInUse}::text[]) AS each))
    RETURNING virtual_address.pool_id AS "poolId"`;
  const remaining = await tx.virtualAddress.count({ where: { releasedBy: { exposureId } } });
  return { poolIds: [...new Set(freed.map((each) => each.poolId))], remaining };
}

export function poolExhausted(pool: { name: string; prefix: string }): DomainError {
  return new DomainError(
    "exhausted",
    `Every address of the pool ${pool.name} (${pool.prefix}) is taken. Add a pool, or delete what no longer needs its address.`,
    { fields: [{ path: ["strategy", "poolId"], message: "this pool has no free address" }] },
  );
}

/** findFreeAddress returns the lowest free address, or null: the first one, or one after an address that is taken. */
export async function findFreeAddress(tx: Tx, poolId: string, prefixText: string): Promise<string | null> {
  const prefix = parsePrefix(prefixText);
  if ("problem" in prefix) throw new Error(`stored prefix ${prefixText}: ${prefix.problem}`);
  const { first, last } = usableRange(prefix);
  const lowest = numberToAddress(first, prefix.family);
  const highest = numberToAddress(last, prefix.family);
  // The gap is found in one walk along the index. The very last address has no successor, so it is skipped.
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
