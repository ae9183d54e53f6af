"use client";
import type { Event } from "@fairlead/domain/event";
import { Skeleton } from "@/components/ui/layout/skeleton.tsx";
import { LongText } from "@/components/ui/long-text.tsx";
import { statusLooks } from "@/components/ui/status/status.ts";
import { StatusMark } from "@/components/ui/status/status-badge.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { subjectHref } from "@/components/words/subjects.ts";
import { Link } from "../ui/action/link.tsx";
import { classNames } from "../ui/class-names.ts";

/** Events, newest first. Compact for narrow places: without subject and reason, and with the age in the same line. */
export function EventList(props: {
  events: Event[] | undefined;
  /** Whether to name the subject of each event. */
  withSubject?: boolean;
  isCompact?: boolean;
  expected?: number;
  empty: string;
}) {
  const { events, isCompact = false } = props;
  if (!events) return <EventListSkeleton rows={props.expected ?? 4} />;
  if (events.length === 0)
    return <p className={classNames("text-muted text-sm", isCompact ? "py-1.5" : "py-2")}>{props.empty}</p>;
  return (
    <ol className="text-sm">
      {events.map((event) => (
        <li
          key={event.id}
          className={classNames(
            "flex border-b last:border-b-0",
            isCompact ? "items-baseline gap-2 py-1.5" : "gap-2.5 py-2",
          )}
        >
          <StatusMark look={statusLooks[event.severity]} className={isCompact ? "" : "mt-1"} />
          <div className="min-w-0 flex-1">
            <span className="sr-only">{statusLooks[event.severity].word}: </span>
            <LongText text={event.message} />
            {isCompact ? null : (
              <div className="flex flex-wrap gap-x-2 text-muted text-xs">
                <Age at={event.at} />
                {props.withSubject ? <Subject event={event} /> : null}
                <span className="font-mono">{event.reason}</span>
              </div>
            )}
          </div>
          {isCompact ? <Age at={event.at} className="text-muted text-xs" /> : null}
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
