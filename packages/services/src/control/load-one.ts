import { Prisma, selectOne, type Tx, type ViewSource } from "@fairlead/db";
import { notFound } from "@fairlead/domain";

/**
 * loadOne reads one row of this organisation from a view, or throws not-found. It checks no permission: the verb does.
 */
export async function loadOne<Row extends object>(
  tx: Tx,
  what: string,
  source: ViewSource,
  organizationId: string,
  id: string,
  path?: string[],
): Promise<Row> {
  const where = [Prisma.sql`"organizationId" = ${organizationId}`, Prisma.sql`id = ${id}`];
  const row = await selectOne<Row>(tx, { ...source, where });
  if (!row) throw notFound(what, id, path);
  return row;
}
