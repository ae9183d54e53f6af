"use client";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/trpc/client.tsx";
import { TextLink } from "../ui/action/text-link.tsx";
import { Skeleton } from "../ui/layout/skeleton.tsx";
import { statusLooks } from "../ui/status/status.ts";
import { StatusGlyph } from "../ui/status/status-badge.tsx";
import { Age } from "../ui/time/age.tsx";

const colours = { info: "text-accent", warning: "text-warn", problem: "text-bad" } as const;

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
      {data?.items.length === 0 ? <p className="py-1.5 text-muted text-sm">No events.</p> : null}
      <ol className="divide-y text-sm">
        {data?.items.map((event) => (
          <li key={event.id} className="flex items-baseline gap-2 py-1.5">
            <StatusGlyph shape={statusLooks[event.severity].shape} className={colours[event.severity]} />
            <span className="sr-only">{statusLooks[event.severity].word}:</span>
            <span className="min-w-0 flex-1 break-words">{event.message}</span>
            <Age at={event.at} className="text-muted text-xs" />
          </li>
        ))}
      </ol>
    </section>
  );
}
