import { sqlStateOf } from "@fairlead/db";

/** isRefusedData says that PostgreSQL will never take these values (data exceptions 22…, violated constraints 23…), so that a repeat is pointless. */
export function isRefusedData(error: unknown): boolean {
  return sqlStateOf(error)?.match(/^2[23]/) != null;
}

/** lacksPartition says that rows had no partition to go to: someone dropped it since we last looked. */
export function lacksPartition(error: unknown): boolean {
  return sqlStateOf(error) === "23514" && /no partition of relation/.test(String(error));
}
