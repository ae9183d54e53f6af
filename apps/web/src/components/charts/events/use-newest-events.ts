"use client";
import type { RouterInputs } from "@fairlead/api";
import type { Event } from "@fairlead/domain/event";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { useTRPC, useTRPCClient } from "@/trpc/client.tsx";
import { newerFrom, withNewer } from "./newer-events.ts";

type Input = RouterInputs["event"]["list"] & { limit: number };

/** useNewestEvents fetches the newest events, and from then on only newer ones. */
export function useNewestEvents(input: Input, enabled: boolean): readonly Event[] | undefined {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const { queryKey } = trpc.event.list.queryOptions(input);
  const key = JSON.stringify(queryKey);
  const fetched = useRef<{ key: string; fullAt: number } | null>(null);

  async function read(signal: AbortSignal) {
    const before = fetched.current?.key === key ? queryClient.getQueryData(queryKey) : undefined;
    const now = Date.now();
    const shown = before && fetched.current ? { events: before.items, fullAt: fetched.current.fullAt } : null;
    const from = newerFrom(shown, now);
    const page = await client.event.list.query(from ? { ...input, from } : input, { signal });
    signal.throwIfAborted();
    if (before && from) return { ...before, items: [...withNewer(input.limit, before.items, page.items)] };
    fetched.current = { key, fullAt: now };
    return page;
  }

  return useQuery({ queryKey, queryFn: ({ signal }) => read(signal), enabled }).data?.items;
}
