"use client";
import { useQuery } from "@tanstack/react-query";
import { EventList } from "@/components/event/event-list.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { problemOf } from "@/trpc/problem.ts";
import { Link } from "../ui/action/link.tsx";

const shown = 15;

/** Recent events of one object or one cluster. */
export function SubjectEvents(props: { subjectId?: string; clusterId?: string; empty: string }) {
  const trpc = useTRPC();
  const { subjectId, clusterId } = props;
  const about = { ...(subjectId ? { subjectId } : {}), ...(clusterId ? { clusterId } : {}) };
  const query = useQuery(trpc.event.list.queryOptions({ ...about, limit: shown }));
  const more = (query.data?.total ?? 0) - shown;
  return (
    <Section
      title="Events"
      actions={
        more > 0 ? (
          <Link
            href={clusterId ? `/events?cluster=${clusterId}` : `/events?subject=${subjectId}`}
            className="text-accent text-sm hover:underline"
          >
            {more} more
          </Link>
        ) : null
      }
    >
      {query.error && !query.data ? (
        <p role="alert" className="py-2 text-sm">
          {problemOf(query.error).message}
        </p>
      ) : (
        <EventList events={query.data?.items} withSubject={clusterId !== undefined} expected={3} empty={props.empty} />
      )}
    </Section>
  );
}
