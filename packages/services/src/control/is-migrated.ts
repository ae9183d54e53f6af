import { type Db, Prisma } from "@fairlead/db";

// Prisma: no such table, no such column.
const missing = ["P2021", "P2022"];

type Readable = { findFirst: () => Promise<unknown> };

/**
 * isMigrated reports whether the database has every table and column that this version reads. A newer database has them
 * too.
 */
export async function isMigrated(db: Db): Promise<boolean> {
  try {
    for (const name of Object.keys(Prisma.ModelName)) await modelOf(db, name).findFirst();
    return true;
  } catch (error) {
    if (error instanceof Prisma.PrismaClientKnownRequestError && missing.includes(error.code)) return false;
    throw error;
  }
}

/** Every model of the schema has this method; a common type for all of them can't be named. */
function modelOf(db: Db, name: string): Readable {
  const key = name.charAt(0).toLowerCase() + name.slice(1);
  return (db as unknown as Record<string, Readable>)[key] ?? { findFirst: async () => null };
}
