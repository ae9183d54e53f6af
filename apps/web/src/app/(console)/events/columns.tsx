import type { Event } from "@fairlead/domain/event";
import { SubjectLink } from "@/components/event/subject-link.tsx";
import type { Column } from "@/components/table/columns.ts";
import { StatusBadge } from "@/components/ui/status/status-badge.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { Instant } from "@/components/ui/time/instant.tsx";

export const eventColumns: readonly Column<Event>[] = [
  {
    id: "at",
    label: "When",
    width: "6.5rem",
    minRem: 6.5,
    narrow: "line",
    isSortable: true,
    isFixed: true,
    cell: ({ at }) => <Age at={at} />,
  },
  {
    id: "severity",
    label: "Severity",
    width: "6.5rem",
    minRem: 6.5,
    narrow: "trail",
    cell: ({ severity }) => <StatusBadge status={severity} />,
  },
  {
    id: "message",
    label: "Message",
    width: "minmax(16rem, 3fr)",
    minRem: 16,
    narrow: "lead",
    cell: ({ message }) => message,
  },
  {
    id: "subject",
    label: "Object",
    width: "minmax(11rem, 1.2fr)",
    minRem: 11,
    narrow: "line",
    cell: ({ subjectKind, subjectId, subjectName }) => (
      <SubjectLink kind={subjectKind} id={subjectId} name={subjectName} tabIndex={-1} />
    ),
  },
  {
    id: "reason",
    label: "Reason",
    width: "minmax(8rem, 1fr)",
    minRem: 8,
    narrow: "hidden",
    cell: ({ reason }) => <span className="text-muted">{reason}</span>,
  },
  {
    id: "exact",
    label: "Time",
    width: "10rem",
    minRem: 10,
    narrow: "hidden",
    isHiddenAtFirst: true,
    cell: ({ at }) => <Instant at={at} />,
  },
];
