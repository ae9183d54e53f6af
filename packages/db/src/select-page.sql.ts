import { type Direction, DomainError, type Page, type PageInput } from "@fairlead/domain";
import { Prisma } from "./generated/prisma/client.ts";
import { sqlStateOf } from "./sql-state.ts";
import type { Tx } from "./transaction.ts";
import type { ViewSource } from "./view-source.ts";

export type PageQuery = ViewSource & {
  /**
   * What to sort by. Nulls sort as the lowest value; set nullable only if there can be nulls, because then no index helps.
   * An address is text that may also be a host name or missing: those sort after the addresses, in this order.
   */
  sort: { column: string; cast: "text" | "timestamptz" | "float8" | "address"; nullable?: boolean };
  direction: Direction;
  where: Prisma.Sql[];
  page: PageInput;
  /** Limit for the count, for lists that only grow. */
  countAtMost?: number;
};

type Cursor = { value: string; id: string };

/**
 * selectPage reads one page, by cursor (the last row's sort value and id, so that rows added before it shift
 * nothing) or by offset (so that a table can jump), and counts all that match. The rows are picked by id first:
 * for that a view joins only what it sorts and filters by, and computes the rest for one page's rows.
 */
export async function selectPage<Row extends { id: string }>(tx: Tx, query: PageQuery): Promise<Page<Row>> {
  const { page, direction } = query;
  const sort = Prisma.raw(sortExpression(query.sort));
  const order = Prisma.raw(direction === "asc" ? "ASC" : "DESC");
  const columns = Prisma.raw(query.columns.map((column) => `"${column}"`).join(", "));
  const from = Prisma.raw(`"${query.from}"`);
  const filter = Prisma.join(query.where, " AND ");
  const after = page.cursor ? afterCursor(parseCursor(page.cursor, query.sort.column), query) : Prisma.sql`true`;

  const ordered = Prisma.sql`ORDER BY ${sort} ${order}, id ${order}`;

  const [rows, total] = await Promise.all([
    tx.$queryRaw<(Row & { sortValue: string })[]>`
      SELECT ${columns}, (${sort})::text AS "sortValue" FROM ${from} WHERE id IN (
        SELECT id FROM ${from} WHERE ${filter} AND ${after} ${ordered} LIMIT ${page.limit + 1} OFFSET ${page.offset ?? 0}
      ) ${ordered}`.catch((error: unknown) => {
      // A well-formed cursor whose value the column can't have.
      throw page.cursor && sqlStateOf(error)?.startsWith("22") ? invalidCursor() : error;
    }),
    countRows(tx, from, filter, query.countAtMost),
  ]);
  const items = rows.slice(0, page.limit);
  const last = items.at(-1);
  return {
    items: items.map(({ sortValue: _, ...row }) => row as unknown as Row),
    total,
    nextCursor:
      rows.length > page.limit && last ? formatCursor(query.sort.column, { value: last.sortValue, id: last.id }) : null,
  };
}

async function countRows(tx: Tx, from: Prisma.Sql, filter: Prisma.Sql, atMost: number | undefined): Promise<number> {
  const [row] =
    atMost === undefined
      ? await tx.$queryRaw<{ total: number }[]>`SELECT count(*)::int AS total FROM ${from} WHERE ${filter}`
      : await tx.$queryRaw<{ total: number }[]>`
          SELECT count(*)::int AS total FROM (SELECT 1 FROM ${from} WHERE ${filter} LIMIT ${atMost}) AS counted`;
  return row?.total ?? 0;
}

function sortExpression(sort: PageQuery["sort"]): string {
  const column = `"${sort.column}"`;
  if (sort.cast === "address") return `address_key(${column}) COLLATE "C"`;
  if (!sort.nullable) return sort.cast === "text" ? `${column} COLLATE "C"` : column;
  if (sort.cast === "text") return `coalesce(${column}, '') COLLATE "C"`;
  if (sort.cast === "float8") return `coalesce(${column}, -1)::float8`;
  return `coalesce(${column}, 'epoch'::timestamptz)`;
}

function afterCursor(cursor: Cursor, query: PageQuery): Prisma.Sql {
  const than = Prisma.raw(query.direction === "asc" ? ">" : "<");
  const cast = Prisma.raw(query.sort.cast === "address" ? "text" : query.sort.cast);
  const sort = Prisma.raw(sortExpression(query.sort));
  return Prisma.sql`(${sort}, id) ${than} (${cursor.value}::text::${cast}, ${cursor.id})`;
}

/** The column is part of the cursor: a cursor of another sort order would skip rows silently. */
function formatCursor(column: string, cursor: Cursor): string {
  return Buffer.from(JSON.stringify([column, cursor.value, cursor.id])).toString("base64url");
}

function parseCursor(text: string, column: string): Cursor {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    const [of, value, id, ...rest] = Array.isArray(parsed) ? parsed : [];
    if (of === column && typeof value === "string" && typeof id === "string" && rest.length === 0) return { value, id };
  } catch {
    // Falls through to the error below.
  }
  throw invalidCursor();
}

function invalidCursor(): DomainError {
  const message = "This cursor is invalid, or belongs to another sort order. Start again without it.";
  return new DomainError("invalid", message, { fields: [{ path: ["cursor"], message }] });
}
