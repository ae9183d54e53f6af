import type { Tx } from "@fairlead/db";

/** lockExperiment holds an experiment's row: whoever stops it waits for who looks at it, and the other way round. */
export async function lockExperiment(tx: Tx, id: string): Promise<{ organizationId: string } | null> {
  const [row] = await tx.$queryRaw<{ organizationId: string }[]>`
    SELECT organization_id AS "organizationId" FROM experiment WHERE id = ${id} FOR UPDATE`;
  return row ?? null;
}
