import { Prisma } from "@fairlead/db";

/** covers finds prefixes that hold an address. */
export function covers(address: string | undefined): Prisma.Sql {
  return address === undefined ? Prisma.sql`true` : Prisma.sql`network >>= ${address}::inet`;
}
