"use client";
import type { Event } from "@fairlead/domain/event";
import { Skeleton } from "@/components/ui/layout/skeleton.tsx";
import { statusLooks } from "@/components/ui/status/status.ts";
import { StatusGlyph } from "@/components/ui/status/status-badge.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { subjectHref } from "@/components/words/subjects.ts";
import { Link } from "../ui/action/link.tsx";

const colours = { info: "text-accent", warning: "text-warn", problem: "text-bad" } as const;

/** Events, newest first. */
export function EventList(props: {
  events: Event[] | undefined;
  /** Whether to name the subject of each event. */
  withSubject?: boolean;
  expected?: number;
  empty: string;
}) {
  const { events } = props;
  if (!events) return <EventListSkeleton rows={props.expected ?? 4} />;
  if (events.length === 0) return <p className="py-2 text-muted text-sm">{props.empty}</p>;
  return (
    <ol className="text-sm">
      {events.map((event) => (
        <li key={event.id} className="flex gap-2.5 border-b py-2 last:border-b-0">
          <StatusGlyph shape={statusLooks[event.severity].shape} className={`mt-1 ${colours[event.severity]}`} />
          <div className="min-w-0 flex-1">
            <span className="sr-only">{statusLooks[event.severity].word}: </span>
            <span className="break-words">{event.message}</span>
            <div className="flex flex-wrap gap-x-2 text-muted text-xs">
              <Age at={event.at} />
              {props.withSubject ? <Subject event={event} /> : null}
              <span className="font-mono">{event.reason}</span>
            </div>
          </div>
        </li>
      ))}
    </ol>
  );
}

function Subject({ event }: { event: Event }) {
  const href = subjectHref(event.subjectKind, event.subjectId);
  if (!href) return <span>{event.subjectName}</span>;
  return (
    <Link href={href} className="text-ink hover:underline">
      {event.subjectName}
    </Link>
  );
}

function EventListSkeleton({ rows }: { rows: number }) {
  return (
    <div aria-hidden>
      {Array.from({ length: rows }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: places, not things
        <div key={i} className="flex h-[53px] flex-col justify-center gap-2 border-b last:border-b-0">
          <Skeleton className="w-3/4" />
          <Skeleton className="h-2.5 w-28" />
        </div>
      ))}
    </div>
  );
}
