"use client";
import { useQuery } from "@tanstack/react-query";
import { DownloadList } from "@/components/table/download-list.tsx";
import { useResolvedRange } from "@/components/time-range/use-resolved-range.ts";
import { Section } from "@/components/ui/layout/section.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { problemOf } from "@/trpc/problem.ts";
import { DelayHistograms } from "./delay-histograms.tsx";
import { lookedUpIn, type RoutingParams, updatesInput } from "./search-params.ts";
import { UpdateTable, WayLegend } from "./update-table.tsx";

/** How long it takes until routers send packets elsewhere, in the page's time range. */
export function UpdateDelays({ params }: { params: RoutingParams }) {
  const trpc = useTRPC();
  const range = useResolvedRange();
  const updates = useQuery({
    ...trpc.routeUpdate.list.queryOptions(updatesInput(params, range)),
    enabled: range !== null,
    placeholderData: (before) => before,
    gcTime: 10_000,
  });
  const address = lookedUpIn(params.address);
  return (
    <>
      <Section
        title="Update delays"
        docs="updatePhases"
        hint="The duration of each phase, from a probe result to packets."
      >
        {range ? (
          <DelayHistograms clusterId={params.cluster} from={range.from} to={range.to} />
        ) : (
          <div className="h-[30rem]" />
        )}
      </Section>
      <Section
        title="Updates"
        hint="The latest updates, by the clocks of the hosts that performed each step."
        actions={
          <DownloadList
            name="updates"
            total={updates.data?.total}
            pageQuery={(offset, limit) =>
              trpc.routeUpdate.list.queryOptions({ ...updatesInput(params, range), offset, limit })
            }
          />
        }
      >
        {updates.error && !updates.data ? (
          <p role="alert" className="text-sm">
            {problemOf(updates.error).message} Traffic is not affected: this page only reads.
          </p>
        ) : (
          <>
            {updates.data && updates.data.items.length > 0 ? <WayLegend /> : null}
            <UpdateTable
              updates={updates.data?.items}
              empty={
                address
                  ? `No next hop of ${address} was added or removed in this time range.`
                  : "No next hops were added or removed in this time range."
              }
            />
          </>
        )}
      </Section>
    </>
  );
}
