"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { EventList } from "@/components/detail/event-list.tsx";
import { useResolvedRange } from "@/components/time-range/use-resolved-range.ts";
import { Button } from "@/components/ui/button.tsx";
import { Section } from "@/components/ui/section.tsx";
import { TextLink } from "@/components/ui/text-link.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { lookedUpIn, type RoutingParams, timelineInput } from "./search-params.ts";

const firstShown = 12;
const more = 50;
/** Older ones are the list's affair. */
const mostShown = 200;

/** What happened to routing in the page's time range, and to what is looked up. */
export function Timeline({ params }: { params: RoutingParams }) {
  const trpc = useTRPC();
  const range = useResolvedRange();
  const [limit, setLimit] = useState(firstShown);
  const events = useQuery({
    ...trpc.event.list.queryOptions(timelineInput(params, range, limit)),
    enabled: range !== null,
    placeholderData: (before) => before,
    gcTime: 10_000,
  });
  const wanted = lookedUpIn(params.address);
  const all = new URLSearchParams({
    topic: "routing",
    ...(params.cluster ? { cluster: params.cluster } : {}),
    ...(wanted ? { mentions: wanted } : {}),
  });
  const left = (events.data?.total ?? 0) - (events.data?.items.length ?? 0);
  return (
    <Section
      title="Timeline"
      hint={wanted ? `What names ${wanted}, in this time.` : "In this time."}
      actions={<TextLink href={`/events?${all}`}>All events of routing</TextLink>}
    >
      <EventList
        events={events.data?.items}
        withSubject
        expected={4}
        empty={
          wanted
            ? `Nothing that names ${wanted} happened in this time.`
            : "Nothing happened in this time. Sessions that come up and go down, and what is announced or not, are told here."
        }
      />
      {left > 0 && limit < mostShown ? (
        <Button
          size="sm"
          className="mt-2"
          busy={events.isFetching}
          onClick={() => setLimit(Math.min(mostShown, limit + more))}
        >
          {`Show ${Math.min(left, more)} more`}
        </Button>
      ) : null}
    </Section>
  );
}
