import type pg from "pg";

const rowsAtOnce = 5_000;

/** insertRows writes many rows in few statements; PostgreSQL takes each column's type from the table. */
export async function insertRows(client: pg.Client, table: string, rows: Record<string, unknown>[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = Object.keys(first)
    .map((column) => `"${column}"`)
    .join(", ");
  for (let i = 0; i < rows.length; i += rowsAtOnce) {
    const chunk = JSON.stringify(rows.slice(i, i + rowsAtOnce));
    await client.query(
      `INSERT INTO "${table}" (${columns}) SELECT ${columns} FROM jsonb_populate_recordset(null::"${table}", $1::jsonb)`,
      [chunk],
    );
  }
}
