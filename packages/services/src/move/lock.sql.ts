import type { Tx } from "@fairlead/db";

/** lockMove locks the exposure of a move and then its row, as verbs of exposures lock theirs first; null if it is gone. */
export async function lockMove(tx: Tx, id: string): Promise<{ organizationId: string; exposureId: string } | null> {
  const [row] = await tx.$queryRaw<{ organizationId: string; exposureId: string }[]>`
    SELECT organization_id AS "organizationId", exposure_id AS "exposureId" FROM move WHERE id = ${id}`;
  if (!row) return null;
  await tx.$queryRaw`SELECT 1 FROM exposure WHERE id = ${row.exposureId} FOR UPDATE`;
  const locked = await tx.$queryRaw<object[]>`SELECT 1 FROM move WHERE id = ${id} FOR UPDATE`;
  return locked.length > 0 ? row : null;
}
