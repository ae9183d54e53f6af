import type { z } from "zod";

/**
 * readSpec returns the fields of an audit entry that the schema of a change has; null if this version of Fairlead can't
 * read them.
 */
export function readSpec<Change>(
  schema: z.ZodType<Change> & { shape: Record<string, unknown> },
  stored: unknown,
): Change | null {
  if (typeof stored !== "object" || stored === null) return null;
  const known = Object.entries(stored).filter(([name]) => Object.hasOwn(schema.shape, name));
  const spec = schema.safeParse(Object.fromEntries(known));
  return spec.success ? spec.data : null;
}
