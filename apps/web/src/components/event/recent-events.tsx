"use client";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/trpc/client.tsx";
import { TextLink } from "../ui/action/text-link.tsx";
import { Skeleton } from "../ui/layout/skeleton.tsx";
import { EventList } from "./event-list.tsx";

/** The latest events of one object. */
export function RecentEvents({ subjectId, limit = 5 }: { subjectId: string; limit?: number }) {
  const trpc = useTRPC();
  const { data, isPending } = useQuery(trpc.event.list.queryOptions({ subjectId, limit }));
  const more = (data?.total ?? 0) - (data?.items.length ?? 0);
  return (
    <section>
      <h3 className="flex justify-between border-b pb-1 font-medium text-sm">
        Recent events
        {more > 0 ? (
          <TextLink href={`/events?subject=${subjectId}`} className="font-normal text-accent">
            {more} more
          </TextLink>
        ) : null}
      </h3>
      {isPending ? <Skeleton className="mt-2 w-48" /> : null}
      {data ? <EventList events={data.items} isCompact empty="No events." /> : null}
    </section>
  );
}
