/** The result of a row: done, or why it failed. */
export type BulkResult = { isDone: true } | { isDone: false; message: string };
export type BulkResults = ReadonlyMap<string, BulkResult>;

/** splitFailed returns the rows that failed, and all others, each in their order. */
export function splitFailed<Row extends { id: string }>(rows: readonly Row[], results: BulkResults) {
  const hasFailed = ({ id }: Row) => results.get(id)?.isDone === false;
  return { failed: rows.filter(hasFailed), others: rows.filter((row) => !hasFailed(row)) };
}
