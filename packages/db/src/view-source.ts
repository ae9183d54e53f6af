/**
 * ViewSource is the source of a query: a view whose columns have the domain's names, and the
 * selected columns.
 */
export type ViewSource = { from: string; columns: readonly string[] };

/**
 * viewSource selects the fields of a zod schema from a view. Use .omit() for a field that is
 * calculated later.
 */
export function viewSource(from: string, schema: { shape: object }): ViewSource {
  return { from, columns: Object.keys(schema.shape) };
}
