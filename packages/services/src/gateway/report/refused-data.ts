import { sqlStateOf } from "@fairlead/db";

/**
 * isRefusedData reports that PostgreSQL will never accept these values (data exceptions 22…, violated constraints 23…),
 * so that a retry is pointless.
 */
export function isRefusedData(error: unknown): boolean {
  return sqlStateOf(error)?.match(/^2[23]/) != null;
}

/** lacksPartition reports that rows had no partition: it was dropped since the last check. */
export function lacksPartition(error: unknown): boolean {
  return sqlStateOf(error) === "23514" && /no partition of relation/.test(String(error));
}

/** missesObject reports that an object that the rows belong to was deleted while they were written: another try finds it gone. */
export function missesObject(error: unknown): boolean {
  return sqlStateOf(error) === "23503";
}
