import { isDeepStrictEqual } from "node:util";

/**
 * differences returns the paths at which an object differs from the wanted one. Additional fields belong to the cluster or others and
 * are ignored; lists are compared as a whole, because extra entries would be open to clients.
 */
export function differences(wanted: unknown, there: unknown, at = ""): string[] {
  if (Array.isArray(wanted)) {
    const found = Array.isArray(there) ? there : [];
    if (wanted.length !== found.length) return [at];
    return wanted.some((each, i) => differences(each, found[i]).length > 0) ? [at] : [];
  }
  if (typeof wanted === "object" && wanted !== null) {
    const found = typeof there === "object" && there !== null ? (there as Record<string, unknown>) : {};
    return Object.entries(wanted).flatMap(([key, value]) =>
      differences(value, found[key], at === "" ? key : `${at}.${key}`),
    );
  }
  // An apiserver omits false values.
  return isDeepStrictEqual(wanted, there ?? (wanted === false ? false : undefined)) ? [] : [at];
}
