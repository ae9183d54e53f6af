"use client";
import { type QueryKey, type UseQueryOptions, useQuery } from "@tanstack/react-query";

/** The name of the object in a peek: from its row, or fetched if the row is not loaded. */
export function PeekTitle<Data extends { name: string }>({
  row,
  query,
  fallback,
}: {
  row: { name: string } | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: error and key types of tRPC's options are invariant, and unused here
  query: UseQueryOptions<Data, any, Data, any> & { queryKey: QueryKey };
  fallback: string;
}) {
  const { data } = useQuery({ ...query, enabled: row === undefined });
  return row?.name ?? data?.name ?? fallback;
}
