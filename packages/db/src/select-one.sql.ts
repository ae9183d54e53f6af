import { Prisma } from "./generated/prisma/client.ts";
import type { Tx } from "./transaction.ts";
import type { ViewSource } from "./view-source.ts";

/** selectOne reads one row of a view, or null. */
export async function selectOne<Row extends object>(
  tx: Tx,
  query: ViewSource & { where: Prisma.Sql[] },
): Promise<Row | null> {
  const columns = Prisma.raw(query.columns.map((column) => `"${column}"`).join(", "));
  const from = Prisma.raw(`"${query.from}"`);
  const filter = Prisma.join(query.where, " AND ");
  const [row] = await tx.$queryRaw<Row[]>`SELECT ${columns} FROM ${from} WHERE ${filter} LIMIT 1`;
  return row ?? null;
}
