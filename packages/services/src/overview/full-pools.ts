import { Prisma, selectPage, type Tx } from "@fairlead/db";
import type { AddressPool } from "@fairlead/domain/address-pool";
import { type AddressPoolRow, addressPoolSource, toAddressPool } from "../address-pool/rows.ts";
import type { Attentions } from "./attention.sql.ts";

const nearlyFull = 0.9;
/** The pools with the most addresses in use; a nearly full pool that is not among these two hundred is very small. */
const looked = 200;

/** findFullPools picks the pools that are full or nearly full. */
export async function findFullPools(tx: Tx, organizationId: string, limit: number): Promise<Attentions> {
  const page = await selectPage<AddressPoolRow>(tx, {
    ...addressPoolSource,
    sort: { column: "allocated", cast: "float8" },
    direction: "desc",
    where: [Prisma.sql`"organizationId" = ${organizationId}`, Prisma.sql`allocated > 0`],
    page: { limit: looked },
  });
  const full = page.items.map(toAddressPool).filter((pool) => pool.allocated >= pool.capacity * nearlyFull);
  return {
    total: full.length,
    items: full.slice(0, limit).map((pool) => ({
      severity: pool.allocated >= pool.capacity ? "problem" : "warning",
      reason: "PoolNearlyFull",
      message: describe(pool),
      subjectKind: "address-pool",
      subjectId: pool.id,
      subjectName: pool.name,
      clusterId: pool.clusterId,
      since: null,
    })),
  };
}

function describe({ allocated, capacity, prefix }: AddressPool): string {
  const left = capacity - allocated;
  if (left <= 0)
    return `All ${capacity} addresses of ${prefix} are taken; the next exposure that needs one will be refused.`;
  return `${allocated} of ${capacity} addresses of ${prefix} are taken; ${left} ${left === 1 ? "is" : "are"} left.`;
}
