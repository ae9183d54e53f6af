import { isDeepStrictEqual } from "node:util";

/**
 * differences names what of a wanted object is otherwise in the one that is there. What is there besides is the cluster's,
 * or somebody else's, and no difference; a list counts whole, because what is in it without us is open to clients.
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
  // What is false is left out of what an apiserver tells.
  return isDeepStrictEqual(wanted, there ?? (wanted === false ? false : undefined)) ? [] : [at];
}
