import { isDeepStrictEqual } from "node:util";

/**
 * differences lists the places where what a client read differs from what the server sent. Times may be written
 * in another way, and fields without a value may be left out.
 */
export function differences(sent: unknown, read: unknown, place = "#"): string[] {
  if (isDeepStrictEqual(plain(sent), plain(read))) return [];
  if (!isObject(sent) || !isObject(read)) return [`${place}: ${show(sent)} was read as ${show(read)}`];
  const names = new Set([...Object.keys(sent), ...Object.keys(read)]);
  return [...names].flatMap((name) => differences(sent[name], read[name], `${place}/${name}`));
}

function plain(value: unknown): unknown {
  if (value === null) return undefined;
  if (typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value)) return Date.parse(value);
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  const fields = Object.entries(value).map(([name, each]) => [name, plain(each)] as const);
  return Object.fromEntries(fields.filter(([, each]) => each !== undefined));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? "nothing").slice(0, 200);
}
