import { Prisma } from "@fairlead/db";

// Filters of list queries. Each returns "true" when its input is absent, so that lists need no branches.
// Column names come from our code, never from a caller.

/** contains finds rows with the text in any of the columns, ignoring case. */
export function contains(columns: string | readonly string[], text: string | undefined): Prisma.Sql {
  if (!text) return Prisma.sql`true`;
  const pattern = `%${text.replace(/[\\%_]/g, (special) => `\\${special}`)}%`;
  const each = [columns].flat().map((column) => Prisma.sql`${Prisma.raw(`"${column}"`)} ILIKE ${pattern}`);
  return Prisma.sql`(${Prisma.join(each, " OR ")})`;
}

export function isOneOf(column: string, values: readonly string[] | undefined): Prisma.Sql {
  if (!values || values.length === 0) return Prisma.sql`true`;
  return Prisma.sql`${Prisma.raw(`"${column}"`)} = ANY(${values}::text[])`;
}

export function equals(column: string, value: string | undefined): Prisma.Sql {
  if (value === undefined) return Prisma.sql`true`;
  return Prisma.sql`${Prisma.raw(`"${column}"`)} = ${value}`;
}

/** isTrue finds rows where a condition holds, or those where it doesn't. */
export function isTrue(condition: string, wanted: boolean | undefined): Prisma.Sql {
  if (wanted === undefined) return Prisma.sql`true`;
  return Prisma.sql`coalesce(${Prisma.raw(condition)}, false) = ${wanted}`;
}

export function within(column: string, from: Date | undefined, to: Date | undefined): Prisma.Sql {
  const name = Prisma.raw(`"${column}"`);
  const lower = from ? Prisma.sql`${name} >= ${from}` : Prisma.sql`true`;
  const upper = to ? Prisma.sql`${name} < ${to}` : Prisma.sql`true`;
  return Prisma.sql`${lower} AND ${upper}`;
}
