import type { Tx } from "@fairlead/db";
import { conflict } from "@fairlead/domain";

/**
 * lockOwners holds the owners of an organisation for the rest of the transaction and counts them. Whoever is about to
 * make one owner fewer calls it first, so that two at once can't each believe that the other one stays.
 */
export async function lockOwners(tx: Tx, organizationId: string): Promise<number> {
  const owners = await tx.$queryRaw<object[]>`
    SELECT 1 FROM member WHERE organization_id = ${organizationId} AND role = 'owner' ORDER BY id FOR UPDATE`;
  return owners.length;
}

export function lastOwnerStays(name: string): Error {
  return conflict(`${name} is the last owner; make somebody else an owner first.`);
}
