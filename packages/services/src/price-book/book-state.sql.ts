import type { Tx } from "@fairlead/db";

/** selectBookState returns a text that changes whenever anything in a price book does. */
export async function selectBookState(tx: Tx, organizationId: string): Promise<string> {
  const [row] = await tx.$queryRaw<{ state: string }[]>`
    SELECT concat_ws(' ', count(*), max(updated_at)) AS state FROM (
      SELECT updated_at FROM negotiated_price WHERE organization_id = ${organizationId}
      UNION ALL SELECT updated_at FROM own_machine WHERE organization_id = ${organizationId}
      UNION ALL SELECT updated_at FROM currency_rate WHERE organization_id = ${organizationId}) AS entry`;
  return row?.state ?? "";
}
