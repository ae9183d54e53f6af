"use client";
import { useQuery } from "@tanstack/react-query";
import { AllLink } from "@/components/detail/all-link.tsx";
import { useLiveInterval } from "@/components/detail/use-live-interval.ts";
import { useMay } from "@/components/frame/session.tsx";
import { Button } from "@/components/ui/action/button.tsx";
import { Link } from "@/components/ui/action/link.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { problemOf } from "@/trpc/problem.ts";
import { ExperimentTable } from "./experiment-table.tsx";
import { experimentsInput } from "./search-params.ts";

const shown = 5;

/** The latest experiments, on the routing page. */
export function RecentExperiments({ clusterId }: { clusterId: string | null }) {
  const trpc = useTRPC();
  const may = useMay("cluster:write");
  const refetchInterval = useLiveInterval();
  const query = useQuery({
    ...trpc.experiment.list.queryOptions(experimentsInput({ cluster: clusterId }, shown)),
    refetchInterval,
  });
  const scope = clusterId ? `cluster=${clusterId}` : "";
  return (
    <Section
      title="Experiments"
      hint="Random changes of the replica count, and their effect."
      actions={
        <>
          <AllLink href={`/experiments${scope ? `?${scope}` : ""}`} total={query.data?.total} shown={shown} />
          {may ? (
            <Button asChild size="sm">
              <Link href={`/experiments?${scope ? `${scope}&` : ""}start=true`}>Start experiment</Link>
            </Button>
          ) : null}
        </>
      }
    >
      {query.error && !query.data ? (
        <p role="alert" className="py-2 text-sm">
          {problemOf(query.error).message}
        </p>
      ) : (
        <ExperimentTable
          experiments={query.data?.items}
          empty="No experiments. An experiment shows how soon routers update their routes when replicas are added and removed, and whether connections break."
        />
      )}
    </Section>
  );
}
