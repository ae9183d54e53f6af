/** One field that an action changed. `before` or `after` is undefined if the field did not exist. */
export type FieldChange = { path: string; before: string | undefined; after: string | undefined };

/** Status fields and counters. They change without a user action, so they don't belong in a diff. */
const noise = new Set(["generation", "updatedAt", "createdAt"]);

/**
 * auditDiff lists, field by field, what an action changed. Created and deleted objects are listed in full, so that a
 * deleted one can be created again from its audit entry.
 */
export function auditDiff(before: unknown, after: unknown): FieldChange[] {
  const was = flatten(before);
  const is = flatten(after);
  const isChange = was.size > 0 && is.size > 0;
  const paths = [...new Set([...was.keys(), ...is.keys()])];
  return paths
    .map((path) => ({ path, before: was.get(path), after: is.get(path) }))
    .filter((change) => !isChange || (change.before !== change.after && !noise.has(change.path)));
}

/** flatten keys every value by its path: workload.name, ports[0].port. */
function flatten(value: unknown): Map<string, string> {
  const fields = new Map<string, string>();
  walk(value, "", fields);
  return fields;
}

function walk(value: unknown, path: string, fields: Map<string, string>): void {
  if (value === null || value === undefined) {
    if (path && value === null) fields.set(path, "null");
    return;
  }
  if (Array.isArray(value) && value.length > 0) {
    if (value.every((each) => typeof each !== "object")) fields.set(path, value.map(String).join(", "));
    else for (const [i, each] of value.entries()) walk(each, `${path}[${i}]`, fields);
    return;
  }
  if (typeof value === "object" && Object.keys(value).length > 0) {
    for (const [name, each] of Object.entries(value)) walk(each, path ? `${path}.${name}` : name, fields);
    return;
  }
  if (typeof value === "object") {
    if (path) fields.set(path, "none");
    return;
  }
  fields.set(path, value === "" ? "“”" : String(value));
}
