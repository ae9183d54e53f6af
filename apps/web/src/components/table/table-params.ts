import { isId } from "@fairlead/domain";
import { createParser, parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { formatChoices, formatSort, parseChoices, parseSort, type Sort } from "./url-codecs.ts";

export const densities = ["comfortable", "compact"] as const;
export type Density = (typeof densities)[number];

/**
 * tableParams is what every list keeps in its URL. A default is never written, so that a shared link carries only
 * what somebody chose.
 */
export function tableParams<const Key extends string>(sorts: readonly [Key, ...Key[]], usual: Sort<Key>) {
  return {
    q: parseAsString.withDefault(""),
    sort: createParser({
      parse: (text) => parseSort(text, sorts),
      serialize: formatSort,
      eq: (a, b) => a.sort === b.sort && a.direction === b.direction,
    }).withDefault(usual),
    cols: columnsParser,
    density: parseAsStringLiteral(densities).withDefault("comfortable"),
    row: parseAsInteger.withDefault(0),
    peek: parseAsString,
  };
}

const columnsParser = createParser<string[]>({
  parse: (text) => text.split(",").filter((id) => id !== ""),
  serialize: formatChoices,
  eq: (a, b) => formatChoices(a) === formatChoices(b),
});

/** A filter that takes some of the given words. */
export function choices<const Word extends string>(words: readonly Word[]) {
  return createParser<Word[]>({
    parse: (text) => parseChoices(text, words),
    serialize: formatChoices,
    eq: (a, b) => formatChoices(a) === formatChoices(b),
  });
}

/** The state of a table, as its URL has it. */
export type TableParams<Key extends string = string> = {
  q: string;
  sort: Sort<Key>;
  cols: string[] | null;
  density: Density;
  row: number;
  peek: string | null;
};

/** The part of a list's input that all lists share. */
export function toListInput<Key extends string>(params: TableParams<Key>) {
  return { ...params.sort, ...(params.q.trim() ? { search: params.q.trim() } : {}) };
}

/** The cluster of the scope as a filter. An id that can't be one is as if it were not there. */
export function inCluster(clusterId: string | null): { clusterId?: string } {
  return clusterId && isId("cluster", clusterId) ? { clusterId } : {};
}
