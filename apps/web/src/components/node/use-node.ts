"use client";
import { withReported } from "@fairlead/domain/node";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useLiveInterval } from "@/components/detail/use-live-interval.ts";
import { useLiveClock } from "@/components/time-range/use-live-clock.ts";
import { useTRPC, useTRPCClient } from "@/trpc/client.tsx";

const reportedEveryMs = 5_000;
/** Changes are notified, or change the digest. This is for what both miss. */
const wholeEveryMs = 5 * 60_000;

/** useNode fetches a node, and from then on only what its agents report, in one request with the charts. */
export function useNode(id: string) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const refetchInterval = useLiveInterval(wholeEveryMs);
  const now = useLiveClock(reportedEveryMs, refetchInterval !== false);
  const query = useQuery({ ...trpc.node.get.queryOptions({ id }), refetchInterval });
  const { data: reported } = useQuery({
    queryKey: ["node-reported", id, now],
    queryFn: ({ signal }) => client.node.getReported.query({ id }, { signal }),
    enabled: now > 0,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 10_000,
  });
  const seen = useRef<{ id: string; restDigest: string } | null>(null);
  useEffect(() => {
    if (!reported) return;
    const { queryKey } = trpc.node.get.queryOptions({ id });
    const isChanged = seen.current?.id === id && seen.current.restDigest !== reported.restDigest;
    seen.current = { id, restDigest: reported.restDigest };
    if (isChanged) void queryClient.invalidateQueries({ queryKey });
    else queryClient.setQueryData(queryKey, (node) => node && withReported(node, reported));
  }, [trpc, queryClient, id, reported]);
  return query;
}
