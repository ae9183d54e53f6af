import type { z } from "zod";

export const volatileKeyword = "x-volatile";

/**
 * volatile marks a field that reports, reads or the clock change while the state of its object stays the same. The ETag
 * of an answer doesn't depend on it.
 */
export function volatile<Schema extends z.ZodType>(schema: Schema): Schema {
  return schema.meta({ [volatileKeyword]: true });
}
