import type { Db } from "./client.ts";
import { Prisma } from "./generated/prisma/client.ts";
import { sqlStateOf } from "./sql-state.ts";

/** Tx is what verbs and queries run on: the client itself, or a transaction of it. */
export type Tx = Omit<Db, "$connect" | "$disconnect" | "$on" | "$transaction" | "$extends">;

const attempts = 5;

/** inTransaction runs work whole or not at all, and again when PostgreSQL asks for that (serialization, deadlock). */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.$transaction((tx) => work(tx), { maxWait: 10_000, timeout: 30_000 });
    } catch (error) {
      if (attempt >= attempts || !isRetryable(error)) throw error;
    }
  }
}

// serialization_failure and deadlock_detected. Prisma has a code of its own for them, but not in raw queries.
const retryableStates = new Set(["40001", "40P01"]);

function isRetryable(error: unknown): boolean {
  const state = sqlStateOf(error);
  if (state && retryableStates.has(state)) return true;
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2034";
}
