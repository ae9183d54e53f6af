/**
 * MigrationRefused is the reason why a database can't be migrated, with the fix, in one sentence.
 */
export class MigrationRefused extends Error {
  override name = "MigrationRefused";
}

/** reasonOf returns PostgreSQL's message with its details, in one line. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const detail =
    "detail" in error && typeof error.detail === "string" ? `: ${error.detail.replaceAll("\n", "; ")}` : "";
  return `${error.message}${detail}`;
}
