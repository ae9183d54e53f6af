import { Prisma } from "@fairlead/db";

/** lookedUp finds prefixes that contain an address, and an exact prefix. */
export function lookedUp({ covers, prefix }: { covers?: string | undefined; prefix?: string | undefined }): Prisma.Sql {
  const holds = covers === undefined ? Prisma.sql`true` : Prisma.sql`network >>= ${covers}::inet`;
  return prefix === undefined ? holds : Prisma.sql`${holds} AND network = ${prefix}::inet`;
}
