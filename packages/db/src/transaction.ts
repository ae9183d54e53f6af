import { setTimeout as pause } from "node:timers/promises";
import type { Db } from "./client.ts";
import { Prisma } from "./generated/prisma/client.ts";
import { sqlStateOf } from "./sql-state.ts";

/** Tx is the client itself, or one of its transactions; verbs and queries run on it. */
export type Tx = Omit<Db, "$connect" | "$disconnect" | "$on" | "$transaction" | "$extends">;

const attempts = 5;
/** The other transaction needs a moment to lock the released rows. Without the pause, both can deadlock again. */
const maxPauseMs = 20;

/** inTransaction runs work in a transaction, and retries it after a serialization failure or a deadlock. */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.$transaction((tx) => work(tx), { maxWait: 10_000, timeout: 30_000 });
    } catch (error) {
      if (attempt >= attempts || !isRetryable(error)) throw error;
      await pause(Math.random() * maxPauseMs * attempt);
    }
  }
}

// serialization_failure and deadlock_detected. Prisma has its own code for them, but not in raw queries.
const retryableStates = new Set(["40001", "40P01"]);

function isRetryable(error: unknown): boolean {
  const state = sqlStateOf(error);
  if (state && retryableStates.has(state)) return true;
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2034";
}
