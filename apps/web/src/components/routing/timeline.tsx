"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { NoMap } from "@/components/address-map/no-map.tsx";
import { EventList } from "@/components/event/event-list.tsx";
import { useMay } from "@/components/frame/session.tsx";
import { useResolvedRange } from "@/components/time-range/use-resolved-range.ts";
import { Button } from "@/components/ui/action/button.tsx";
import { TextLink } from "@/components/ui/action/text-link.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { lookedUpIn, type RoutingParams, timelineInput } from "./search-params.ts";

const firstShown = 12;
const more = 50;
/** Older events are in the list of events. */
const maxShown = 200;

/** The routing events of the page's time range, optionally those of a looked-up address. */
export function Timeline({ params }: { params: RoutingParams }) {
  const trpc = useTRPC();
  const range = useResolvedRange();
  const [limit, setLimit] = useState(firstShown);
  const wanted = lookedUpIn(params.address);
  const mayReadMap = useMay("map:read");
  // Events that mention an address name its load balancer.
  const isHidden = wanted !== null && !mayReadMap;
  const events = useQuery({
    ...trpc.event.list.queryOptions(timelineInput(params, range, limit)),
    enabled: range !== null && !isHidden,
    placeholderData: (before) => before,
    gcTime: 10_000,
  });
  const all = new URLSearchParams({
    topic: "routing",
    ...(params.cluster ? { cluster: params.cluster } : {}),
    ...(wanted ? { mentions: wanted } : {}),
  });
  if (isHidden)
    return (
      <Section title="Timeline">
        <NoMap />
      </Section>
    );
  const left = (events.data?.total ?? 0) - (events.data?.items.length ?? 0);
  return (
    <Section
      title="Timeline"
      hint={wanted ? `Events that mention ${wanted}, in this time range.` : "In this time range."}
      actions={<TextLink href={`/events?${all}`}>All events of routing</TextLink>}
    >
      <EventList
        events={events.data?.items}
        withSubject
        expected={4}
        empty={
          wanted
            ? `No events that mention ${wanted} in this time range.`
            : "No events in this time range. Changes of sessions and announcements appear here."
        }
      />
      {left > 0 && limit < maxShown ? (
        <Button
          size="sm"
          className="mt-2"
          busy={events.isFetching}
          onClick={() => setLimit(Math.min(maxShown, limit + more))}
        >
          {`Show ${Math.min(left, more)} more`}
        </Button>
      ) : null}
    </Section>
  );
}
