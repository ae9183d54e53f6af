import { Prisma } from "./generated/prisma/client.ts";

/** sqlStateOf answers PostgreSQL's own five-character code of an error, or null when it did not come from there. */
export function sqlStateOf(error: unknown): string | null {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return null;
  const adapterError = error.meta?.driverAdapterError as { cause?: { originalCode?: unknown } } | undefined;
  const state = adapterError?.cause?.originalCode;
  return typeof state === "string" ? state : null;
}
