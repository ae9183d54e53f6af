import { isId } from "@fairlead/domain";
import { createParser, parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { formatChoices, formatSort, parseChoices, parseSort, type Sort } from "./url-codecs.ts";

export const densities = ["comfortable", "compact"] as const;
export type Density = (typeof densities)[number];

/**
 * tableParams is the URL state of every list. Defaults are omitted, so that a shared link contains only what was
 * selected.
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

/** A filter with a fixed set of values. */
export function choices<const Word extends string>(words: readonly Word[]) {
  return createParser<Word[]>({
    parse: (text) => parseChoices(text, words),
    serialize: formatChoices,
    eq: (a, b) => formatChoices(a) === formatChoices(b),
  });
}

/** The state of a table, as in its URL. */
export type TableParams<Key extends string = string> = {
  q: string;
  sort: Sort<Key>;
  cols: string[] | null;
  density: Density;
  row: number;
  peek: string | null;
};

/** The part of a query that all lists share. */
export function toListInput<Key extends string>(params: TableParams<Key>) {
  return { ...params.sort, ...(params.q.trim() ? { search: params.q.trim() } : {}) };
}

/** The selected cluster as a filter. An invalid id is ignored. */
export function inCluster(clusterId: string | null): { clusterId?: string } {
  return clusterId && isId("cluster", clusterId) ? { clusterId } : {};
}
