const fatal = /(?:\b(?:FATAL|PANIC|error):\s+|^postgres: )(.*)/;
const more = /\b(?:DETAIL|HINT):\s+(.*)/;
/** These are said to clients while a server starts or stops, and are no reason for its end. */
const passing = /the database system is|terminating connection/;

/** fatalWords takes out of the end of PostgreSQL's log why it ended: the last fatal line, with its details and hints. */
export function fatalWords(log: string): string {
  const lines = log.trim().split("\n");
  const at = lines.findLastIndex((line) => fatal.test(line) && !passing.test(line));
  if (at < 0) return lines.at(-1) ?? "";
  const words = [fatal.exec(lines[at] ?? "")?.[1] ?? ""];
  for (const line of lines.slice(at + 1)) {
    const found = more.exec(line)?.[1];
    if (!found) break;
    words.push(found.replace(/\.$/, ""));
  }
  return words.join(". ");
}
