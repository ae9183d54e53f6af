"use client";
import { type NodeDetail, type NodeDigests, withChanges } from "@fairlead/domain/node";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useLiveInterval } from "@/components/detail/use-live-interval.ts";
import { useLiveClock } from "@/components/time-range/use-live-clock.ts";
import { useTRPC, useTRPCClient } from "@/trpc/client.tsx";

const everyMs = 5_000;

/** useNode fetches a node, and from then on what changed: usually only what its agents report, together with the charts. */
export function useNode(id: string) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const now = useLiveClock(everyMs, useLiveInterval(everyMs) !== false);
  const { queryKey } = trpc.node.get.queryOptions({ id });
  const fetched = useRef<{ id: string; known: NodeDigests } | null>(null);

  async function read(signal: AbortSignal): Promise<NodeDetail> {
    const shown = queryClient.getQueryData(queryKey);
    const known = shown && fetched.current?.id === id ? fetched.current.known : undefined;
    const changes = await client.node.getChanges.query(known ? { id, known } : { id }, { signal });
    // Digests without their node would hide changes.
    signal.throwIfAborted();
    if ("node" in changes) {
      fetched.current = { id, known: changes.digests };
      return changes.node;
    }
    if (!shown || !known) throw new Error("The response has only changes.");
    fetched.current = { id, known: { ...known, ...changes.changed?.digests } };
    return withChanges(shown, changes);
  }

  const query = useQuery({ queryKey, queryFn: ({ signal }) => read(signal) });
  const { refetch } = query;
  useEffect(() => {
    if (now > 0) void refetch({ cancelRefetch: false });
  }, [now, refetch]);
  return query;
}
