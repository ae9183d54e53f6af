import type { AuditEntry } from "@fairlead/domain/access";
import { Actor } from "@/components/audit/actor.tsx";
import { SubjectLink } from "@/components/event/subject-link.tsx";
import type { Column } from "@/components/table/columns.ts";
import { Age } from "@/components/ui/time/age.tsx";
import { Instant } from "@/components/ui/time/instant.tsx";

export const auditColumns: readonly Column<AuditEntry>[] = [
  {
    id: "at",
    label: "When",
    width: "6.5rem",
    minRem: 6.5,
    narrow: "trail",
    isSortable: true,
    isFixed: true,
    cell: ({ at }) => <Age at={at} />,
  },
  {
    id: "exact",
    label: "Time",
    width: "10rem",
    minRem: 10,
    narrow: "hidden",
    cell: ({ at }) => <Instant at={at} />,
  },
  {
    id: "actor",
    label: "Actor",
    width: "minmax(10rem, 1.2fr)",
    minRem: 10,
    narrow: "line",
    cell: ({ actorKind, actorName }) => <Actor kind={actorKind} name={actorName} />,
  },
  {
    id: "action",
    label: "Action",
    width: "minmax(9rem, 1fr)",
    minRem: 9,
    narrow: "lead",
    cell: ({ action }) => <span className="font-medium">{action}</span>,
  },
  {
    id: "subject",
    label: "Object",
    width: "minmax(13rem, 2fr)",
    minRem: 13,
    narrow: "line",
    cell: ({ subjectKind, subjectId, subjectName }) => (
      <SubjectLink kind={subjectKind} id={subjectId} name={subjectName} tabIndex={-1} />
    ),
  },
];
