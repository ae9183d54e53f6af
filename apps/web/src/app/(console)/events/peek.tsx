import type { Event } from "@fairlead/domain/event";
import { SubjectLink } from "@/components/event/subject-link.tsx";
import { Facts } from "@/components/table/facts.tsx";
import { TextLink } from "@/components/ui/action/text-link.tsx";
import { LongText } from "@/components/ui/long-text.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { StatusBadge } from "@/components/ui/status/status-badge.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { Instant } from "@/components/ui/time/instant.tsx";

export function EventPeek({ event }: { event: Event | undefined }) {
  if (!event) return <p className="text-muted text-sm">This event is not in the current list.</p>;
  return (
    <div className="flex flex-col gap-5">
      <div>
        <StatusBadge status={event.severity} className="font-medium text-sm" />
        <p className="mt-1 text-sm">
          <LongText text={event.message} />
        </p>
      </div>
      <Facts
        rows={[
          [
            "When",
            <span key="when">
              <Instant at={event.at} />, <Age at={event.at} className="text-muted" />
            </span>,
          ],
          ["Object", <SubjectLink key="of" kind={event.subjectKind} id={event.subjectId} name={event.subjectName} />],
          ["Reason", event.reason],
          ["ID", <Mono key="id">{event.id}</Mono>],
        ]}
      />
      <TextLink href={`/events?subject=${event.subjectId}`} className="text-accent text-sm">
        All events of {event.subjectName}
      </TextLink>
    </div>
  );
}
