export type Sent = { method?: "POST" | "PATCH"; path: string; spec: object };

/** curlOf returns a command that sends a spec to the API. The key is in a variable, so it is not in the shell's history. */
export function curlOf(origin: string, { method = "POST", path, spec }: Sent): string {
  return [
    `curl -X ${method} '${origin}/api/v1${path}'`,
    `-H "Authorization: Bearer $FAIRLEAD_KEY"`,
    `-H 'Content-Type: application/json'`,
    `-d ${quoted(JSON.stringify(spec, null, 2))}`,
  ].join(" \\\n  ");
}

/** A single quote ends the text of a shell, so each is written outside of it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
