import type { Tx } from "@fairlead/db";
import { conflict } from "@fairlead/domain";

/**
 * lockOwners locks the owners of an organisation for the rest of the transaction and counts them. Call it before
 * removing or demoting an owner, so that two such changes at once can't remove both of the last two.
 */
export async function lockOwners(tx: Tx, organizationId: string): Promise<number> {
  const owners = await tx.$queryRaw<object[]>`
    SELECT 1 FROM member WHERE organization_id = ${organizationId} AND role = 'owner' ORDER BY id FOR UPDATE`;
  return owners.length;
}

export function lastOwnerStays(name: string): Error {
  return conflict(`${name} is the last owner; make another member an owner first.`);
}
