/** Labels as typed: one name=value per line. */
export function formatLabels(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join("\n");
}

export type ParsedLabels = { labels: Record<string, string> } | { problem: string };

export function parseLabels(text: string): ParsedLabels {
  const labels: Record<string, string> = {};
  for (const line of text.split("\n").map((each) => each.trim())) {
    if (!line) continue;
    const at = line.indexOf("=");
    const name = line.slice(0, at).trim();
    if (at < 1 || !name) return { problem: `Invalid label “${line}”. Write name=value, one per line.` };
    if (Object.hasOwn(labels, name)) return { problem: `Duplicate label ${name}.` };
    labels[name] = line.slice(at + 1).trim();
  }
  return { labels };
}
