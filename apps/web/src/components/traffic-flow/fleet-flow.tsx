"use client";
import type { TrafficFlow } from "@fairlead/domain/traffic-flow";
import { useQuery } from "@tanstack/react-query";
import { LoadError, type QueryState } from "@/components/detail/load-error.tsx";
import { useLiveInterval } from "@/components/detail/use-live-interval.ts";
import { Section } from "@/components/ui/layout/section.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { FlowSection } from "./flow-section.tsx";

/** The traffic over all of our balancers. */
export function FleetFlow() {
  const trpc = useTRPC();
  const query = useQuery({
    ...trpc.trafficFlow.ofFleet.queryOptions({}),
    refetchInterval: useLiveInterval(30_000),
    staleTime: 30_000,
  });
  return <FleetFlowState query={query} />;
}

/** Nothing while it loads, because there is no picture without balancers. */
export function FleetFlowState({ query }: { query: QueryState<TrafficFlow> }) {
  if (query.error && !query.data)
    return (
      <Section title="Flow">
        <LoadError label="Flow" query={query} />
      </Section>
    );
  return <FlowSection flow={query.data} />;
}
