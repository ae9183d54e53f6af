import type { Direction } from "@fairlead/domain";

export type Sort<Key extends string = string> = { sort: Key; direction: Direction };

/** In the URL "name" is ascending and "-name" descending. */
export function formatSort(sort: Sort): string {
  return sort.direction === "desc" ? `-${sort.sort}` : sort.sort;
}

export function parseSort<Key extends string>(text: string, keys: readonly Key[]): Sort<Key> | null {
  const isDescending = text.startsWith("-");
  const name = isDescending ? text.slice(1) : text;
  const key = keys.find((each) => each === name);
  return key ? { sort: key, direction: isDescending ? "desc" : "asc" } : null;
}

/**
 * A filter with several values in the URL: "degraded,failed". Unknown values are dropped, so that old links still work.
 */
export function parseChoices<Word extends string>(text: string, words: readonly Word[]): Word[] | null {
  const given = new Set(text.split(","));
  const known = words.filter((word) => given.has(word));
  return known.length > 0 ? known : null;
}

export function formatChoices(words: readonly string[]): string {
  return words.join(",");
}
