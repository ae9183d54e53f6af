/** MigrationRefused says why a database can't be migrated, and what its owner can do, in one sentence. */
export class MigrationRefused extends Error {
  override name = "MigrationRefused";
}

/** reasonOf is what PostgreSQL reports of an error, with the objects that it names, in one line. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const detail =
    "detail" in error && typeof error.detail === "string" ? `: ${error.detail.replaceAll("\n", "; ")}` : "";
  return `${error.message}${detail}`;
}
