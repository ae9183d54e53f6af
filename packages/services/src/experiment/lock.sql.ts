import type { Tx } from "@fairlead/db";

/** lockExperiment locks an experiment's row, so that stopping and checking it don't overlap. */
export async function lockExperiment(tx: Tx, id: string): Promise<{ organizationId: string } | null> {
  const [row] = await tx.$queryRaw<{ organizationId: string }[]>`
    SELECT organization_id AS "organizationId" FROM experiment WHERE id = ${id} FOR UPDATE`;
  return row ?? null;
}
