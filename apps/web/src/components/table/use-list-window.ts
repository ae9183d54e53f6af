"use client";
import type { Page } from "@fairlead/domain";
import { type QueryKey, type UseQueryOptions, useQueries, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { noteUse, pageSize, pagesOf } from "./window-pages.ts";

/** The query of one page. It accepts tRPC query options, whose keys differ from list to list. */
// biome-ignore lint/suspicious/noExplicitAny: error and key types of tRPC's options are invariant, and unused here
export type PageQuery<Row> = UseQueryOptions<Page<Row>, any, Page<Row>, any> & { queryKey: QueryKey };

export type ListWindow<Row> = {
  /** How many rows match; undefined until the first response. */
  total: number | undefined;
  /** The row at an index, if it is loaded. */
  rowAt: (index: number) => Row | undefined;
  loadedRows: () => Row[];
  error: unknown;
  isFetching: boolean;
  /** The rows belong to the previous search or sort order. The new response is pending. */
  isPrevious: boolean;
  retry: () => void;
};

/** A dragged scrollbar passes every page. Only the page where it stops is worth a request. */
const restMs = 70;

/**
 * useListWindow loads a list through a window: it fetches the pages in the visible range, caches a bounded number of
 * others, and keeps the previous rows until those of a new search or sort order arrive.
 */
export function useListWindow<Row>(
  pageQuery: (offset: number, limit: number) => PageQuery<Row>,
  range: { first: number; last: number },
  refetchInterval: number | false = false,
): ListWindow<Row> {
  const client = useQueryClient();
  const keyOf = (page: number) => pageQuery(page * pageSize, pageSize).queryKey;
  const listKey = JSON.stringify(keyOf(0));
  const visible = pagesOf(range);
  const wanted = useRested(visible, listKey);
  const results = useQueries({
    queries: wanted.map((page) => ({ ...pageQuery(page * pageSize, pageSize), refetchInterval })),
  });

  const cached = (page: number) => client.getQueryData<Page<Row>>(keyOf(page));
  const answer = results.find((result) => result.data)?.data ?? visible.map(cached).find(Boolean);
  const last = useRef<{ listKey: string; total: number; pages: Map<number, Row[]> } | null>(null);
  const before = last.current;
  const isPrevious = !answer && before !== null && before.listKey !== listKey;

  const pages = useMemo(() => {
    const here = new Map<number, Row[]>();
    for (const [i, page] of wanted.entries()) {
      const rows = results[i]?.data?.items;
      if (rows) here.set(page, rows);
    }
    return here;
  }, [wanted, results]);

  useEffect(() => {
    if (!answer) return;
    last.current = { listKey, total: answer.total, pages };
  }, [answer, listKey, pages]);

  const order = useRef<{ listKey: string; pages: number[] }>({ listKey, pages: [] });
  useEffect(() => {
    if (order.current.listKey !== listKey) order.current = { listKey, pages: [] };
    const used = noteUse(order.current.pages, wanted);
    order.current.pages = used.order;
    for (const page of used.dropped)
      client.removeQueries({ queryKey: pageQuery(page * pageSize, pageSize).queryKey, exact: true });
  }, [client, listKey, wanted, pageQuery]);

  function rowsOf(page: number): Row[] | undefined {
    if (isPrevious) return before.pages.get(page);
    return pages.get(page) ?? cached(page)?.items;
  }

  return {
    total: answer?.total ?? before?.total,
    rowAt: (index) => rowsOf(Math.floor(index / pageSize))?.[index % pageSize],
    loadedRows: () => visible.flatMap((page) => rowsOf(page) ?? []),
    error: results.find((result) => result.isError)?.error ?? null,
    isFetching: results.some((result) => result.isFetching),
    isPrevious,
    retry: () => {
      for (const result of results) if (result.isError) void result.refetch();
    },
  };
}

/** Returns the pages after a short delay, or at once for a new list. */
function useRested(pages: number[], listKey: string): number[] {
  const text = pages.join();
  const [rested, setRested] = useState({ text, listKey });
  useEffect(() => {
    const timer = setTimeout(() => setRested({ text, listKey }), restMs);
    return () => clearTimeout(timer);
  }, [text, listKey]);
  const current = rested.listKey === listKey ? rested.text : text;
  return useMemo(() => current.split(",").map(Number), [current]);
}
