/** Named is an entry of one of a kubeconfig's lists: users, clusters, contexts. */
export type Named = { name: string; body: Record<string, unknown> };

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** textOf returns a text field; empty if it is missing or has another type. */
export function textOf(body: Record<string, unknown>, field: string): string {
  const value = Object.hasOwn(body, field) ? body[field] : undefined;
  return typeof value === "string" ? value.trim() : "";
}

/** namedOf reads a list of entries with a name and one other field. Entries without a name are skipped: nothing can refer to them. */
export function namedOf(document: Record<string, unknown>, list: string, field: string): Named[] {
  const entries = document[list];
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry: unknown) => {
    if (!isObject(entry)) return [];
    const name = textOf(entry, "name");
    const body = entry[field];
    return name === "" ? [] : [{ name, body: isObject(body) ? body : {} }];
  });
}

/** decodePem decodes base64 PEM, as in kubeconfigs; null if there is none. */
export function decodePem(
  body: Record<string, unknown>,
  field: string,
  label: string,
): { pem: string | null } | { problem: string } {
  const encoded = textOf(body, field).replace(/\s+/g, "");
  if (encoded === "") return { pem: null };
  const problem = `${field} is not the base64 of PEM text (-----BEGIN ${label}-----). Run kubectl config view --minify --flatten --raw, and paste what it prints.`;
  if (encoded.length > 27_000) return { problem };
  try {
    const pem = atob(encoded);
    return new RegExp(`-----BEGIN (?:[A-Z0-9]+ )?${label}-----[\\s\\S]+-----END`).test(pem) ? { pem } : { problem };
  } catch {
    return { problem };
  }
}
