/** ViewSource is what a query reads: a view whose columns are named as the domain names them, and which of them. */
export type ViewSource = { from: string; columns: readonly string[] };

/** viewSource reads from a view what a zod schema has. A field that is computed later is left out by .omit(). */
export function viewSource(from: string, schema: { shape: object }): ViewSource {
  return { from, columns: Object.keys(schema.shape) };
}
