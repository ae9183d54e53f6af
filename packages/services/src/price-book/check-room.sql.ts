import { Prisma, type Tx } from "@fairlead/db";
import { DomainError } from "@fairlead/domain";
import type { ServiceContext } from "../context.ts";

/** A whole book is read for each estimate. */
export const mostEntries = 1_000;

const entries = {
  negotiated_price: "negotiated prices",
  own_machine: "machines",
  currency_rate: "currency rates",
} as const;
export type BookTable = keyof typeof entries;

/** checkRoom refuses an entry over the price book's limit for its kind. */
export async function checkRoom(tx: Tx, ctx: ServiceContext, table: BookTable): Promise<void> {
  const [row] = await tx.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM ${Prisma.raw(`"${table}"`)} WHERE organization_id = ${ctx.organizationId}`;
  if ((row?.count ?? 0) < mostEntries) return;
  throw new DomainError(
    "exhausted",
    `The price book holds ${mostEntries} ${entries[table]}, and is full: delete outdated entries first.`,
  );
}
