"use client";
import { useQuery } from "@tanstack/react-query";
import { useLiveInterval } from "@/components/detail/use-live-interval.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { FlowSection } from "./flow-section.tsx";

/** The traffic over all of our balancers. */
export function FleetFlow() {
  const trpc = useTRPC();
  const { data } = useQuery({
    ...trpc.trafficFlow.ofFleet.queryOptions({}),
    refetchInterval: useLiveInterval(30_000),
    staleTime: 30_000,
  });
  return <FlowSection flow={data} />;
}
