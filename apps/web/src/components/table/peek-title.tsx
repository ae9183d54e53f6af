"use client";
import { type QueryKey, type UseQueryOptions, useQuery } from "@tanstack/react-query";

/** The name of what is peeked at: from its row, or read when a link led here and the row is elsewhere in the list. */
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
