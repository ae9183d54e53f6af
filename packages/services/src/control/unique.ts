import { Prisma } from "@fairlead/db";
import { conflict } from "@fairlead/domain";

/** onDuplicate turns a violated unique constraint into a conflict that names the field. */
export async function onDuplicate<T>(work: Promise<T>, path: (string | number)[], message: string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2002") throw conflict(message, path);
    throw error;
  }
}
