"use client";
import type { Page } from "@fairlead/domain";
import { type UseQueryResult, useQueries } from "@tanstack/react-query";
import { useLiveInterval } from "@/components/detail/use-live-interval.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { joinPages } from "./join-pages.ts";

/** How many addresses and how many nodes are looked up: each is a query. */
export const maxLookedUp = 8;

const limit = 50;

/** useAddressRouting looks up where addresses are announced, and where routers and clouds route them. */
export function useAddressRouting(clusterId: string, addresses: readonly string[]) {
  const trpc = useTRPC();
  const refetchInterval = useLiveInterval(10_000);
  const lookedUp = addresses.slice(0, maxLookedUp);
  const announcements = useQueries({
    queries: lookedUp.map((covers) => ({
      ...trpc.announcement.list.queryOptions({ clusterId, covers, limit }),
      refetchInterval,
    })),
    combine: joined,
  });
  const routes = useQueries({
    queries: lookedUp.map((covers) => ({
      ...trpc.route.list.queryOptions({ clusterId, covers, limit }),
      refetchInterval,
    })),
    combine: joined,
  });
  const cloudAddresses = useQueries({
    queries: lookedUp.map((search) => ({
      ...trpc.cloudAddress.list.queryOptions({ clusterId, search, limit }),
      refetchInterval,
    })),
    combine: joined,
  });
  return { announcements, routes, cloudAddresses };
}

/** useSessionsOf returns the BGP sessions of nodes. */
export function useSessionsOf(nodeIds: readonly string[]) {
  const trpc = useTRPC();
  const refetchInterval = useLiveInterval(10_000);
  return useQueries({
    queries: nodeIds.slice(0, maxLookedUp).map((nodeId) => ({
      ...trpc.bgpSession.list.queryOptions({ nodeId, limit }),
      refetchInterval,
    })),
    combine: joined,
  });
}

export type Lookup = ReturnType<typeof joined>;

function joined<Answer extends Page<{ id: string }>, Failure>(results: UseQueryResult<Answer, Failure>[]) {
  return {
    pages: results.map(({ data }) => data),
    items: joinPages<Answer["items"][number]>(results.map(({ data }) => data)),
    error: results.find(({ data, error }) => error && !data)?.error ?? null,
  };
}
