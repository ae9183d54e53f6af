const maxDepth = 5;
// Codes of the system and of Prisma look alike, but have no digit or begin with a P.
const sqlState = /^(?!P)(?=.*\d)[0-9A-Z]{5}$/;

/** sqlStateOf returns PostgreSQL's five-character code of an error, or null if it is not from PostgreSQL. */
export function sqlStateOf(error: unknown): string | null {
  for (const { originalCode, code } of nestedErrors(error))
    for (const each of [originalCode, code]) if (typeof each === "string" && sqlState.test(each)) return each;
  return null;
}

/** nestedErrors yields an error and its nested causes: Prisma wraps the driver's error several times. */
export function* nestedErrors(error: unknown, depth = 0): Generator<Record<string, unknown>> {
  if (!error || typeof error !== "object" || depth > maxDepth) return;
  const fields = error as Record<string, unknown>;
  yield fields;
  for (const inner of [fields.meta, fields.driverAdapterError, fields.cause]) yield* nestedErrors(inner, depth + 1);
}
