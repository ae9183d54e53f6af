const fatal = /(?:\b(?:FATAL|PANIC|error):\s+|^postgres: )(.*)/;
const more = /\b(?:DETAIL|HINT):\s+(.*)/;
/** Messages to clients while a server starts or stops: they are not the cause of its exit. */
const transient = /the database system is|terminating connection/;

/** fatalReason returns the last fatal line of PostgreSQL's log, with its details and hints. */
export function fatalReason(log: string): string {
  const lines = log.trim().split("\n");
  const at = lines.findLastIndex((line) => fatal.test(line) && !transient.test(line));
  if (at < 0) return lines.at(-1) ?? "";
  const parts = [fatal.exec(lines[at] ?? "")?.[1] ?? ""];
  for (const line of lines.slice(at + 1)) {
    const found = more.exec(line)?.[1];
    if (!found) break;
    parts.push(found.replace(/\.$/, ""));
  }
  return parts.join(". ");
}
