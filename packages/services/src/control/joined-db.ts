import type { Db, Tx } from "@fairlead/db";

/**
 * joinTransaction lets verbs run inside a transaction that is already open: their own transactions become part of it,
 * and commit or roll back with it.
 */
export function joinTransaction(tx: Tx): Db {
  let failure: unknown;
  const join = async (work: (tx: Tx) => Promise<unknown>): Promise<unknown> => {
    // PostgreSQL refuses everything after a failure, so a retry must see the first error instead.
    if (failure) throw failure;
    try {
      return await work(tx);
    } catch (error) {
      failure = error;
      throw error;
    }
  };
  return asDb(new Proxy(tx, { get: (target, name) => (name === "$transaction" ? join : Reflect.get(target, name)) }));
}

/** The client of a transaction lacks only what a verb never calls: connecting, disconnecting, extending. */
function asDb(tx: Tx): Db {
  return tx as Db;
}
