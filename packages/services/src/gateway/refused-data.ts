const maxDepth = 5;

/** isRefusedData says that PostgreSQL will never take these values (data exceptions 22…, violated constraints 23…), so that a repeat is pointless. */
export function isRefusedData(error: unknown): boolean {
  return postgresCode(error, 0)?.match(/^2[23]/) != null;
}

/** lacksPartition says that rows had no partition to go to: someone dropped it since we last looked. */
export function lacksPartition(error: unknown): boolean {
  return postgresCode(error, 0) === "23514" && /no partition of relation/.test(String(error));
}

function postgresCode(error: unknown, depth: number): string | null {
  if (!error || typeof error !== "object" || depth > maxDepth) return null;
  const { code, originalCode, cause, meta, driverAdapterError } = error as Record<string, unknown>;
  for (const each of [originalCode, code])
    if (typeof each === "string" && /^[0-9A-Z]{5}$/.test(each) && !each.startsWith("P")) return each;
  return [meta, driverAdapterError, cause].map((each) => postgresCode(each, depth + 1)).find((each) => each) ?? null;
}
