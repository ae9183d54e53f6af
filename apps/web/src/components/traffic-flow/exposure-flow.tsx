"use client";
import { type Exposure, hasEngine } from "@fairlead/domain/exposure";
import { useQuery } from "@tanstack/react-query";
import { LoadError } from "@/components/detail/load-error.tsx";
import { useLiveInterval } from "@/components/detail/use-live-interval.ts";
import { useMay } from "@/components/frame/session.tsx";
import { TextLink } from "@/components/ui/action/text-link.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { Skeleton } from "@/components/ui/layout/skeleton.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { FlowSection } from "./flow-section.tsx";

/** The traffic of one exposure. */
export function ExposureFlow({ exposure }: { exposure: Pick<Exposure, "id" | "strategy" | "deletedAt"> }) {
  const { id, strategy, deletedAt } = exposure;
  const trpc = useTRPC();
  const query = useQuery({
    ...trpc.trafficFlow.ofExposure.queryOptions({ id }),
    refetchInterval: useLiveInterval(10_000),
  });
  const mayWrite = useMay("exposure:write");
  const mayRead = useMay("map:read");
  const canSample = mayWrite && mayRead && hasEngine(strategy) && !strategy.sampleClients && deletedAt === null;
  if (!query.data)
    return (
      <Section title="Flow">
        {query.error ? <LoadError label="Flow" query={query} /> : <Skeleton className="h-40" />}
      </Section>
    );
  return <FlowSection flow={query.data} note={canSample ? <SamplingOff id={id} /> : null} />;
}

function SamplingOff({ id }: { id: string }) {
  return (
    <>
      Client networks are not sampled.{" "}
      <TextLink href={`/exposures/${id}/edit`} className="text-accent underline">
        Turn on client sampling
      </TextLink>{" "}
      under Advanced to see which send the most.
    </>
  );
}
