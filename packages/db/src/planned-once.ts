import { createHash } from "node:crypto";

/**
 * A statement with this mark in its text is planned once per connection, and again when statistics change. For what runs
 * with every report or pass, selects by keys, and joins so much that its plan takes longer than its execution.
 */
const mark = "/* planned once */";
const names = new Map<string, string>();

/** statementName names a marked statement, which makes PostgreSQL keep its plan; it is empty for all others. */
export function statementName({ sql }: { sql: string }): string {
  if (!sql.includes(mark)) return "";
  let name = names.get(sql);
  if (name === undefined) {
    name = createHash("sha256").update(sql).digest("base64url");
    names.set(sql, name);
  }
  return name;
}
