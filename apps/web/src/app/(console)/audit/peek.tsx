import type { AuditEntry } from "@fairlead/domain/access";
import { Actor } from "@/components/audit/actor.tsx";
import { auditDiff, type FieldChange } from "@/components/audit/audit-diff.ts";
import { FieldChanges } from "@/components/audit/field-changes.tsx";
import { SubjectLink } from "@/components/event/subject-link.tsx";
import { Facts } from "@/components/table/facts.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { Instant } from "@/components/ui/time/instant.tsx";

export function AuditPeek({ entry }: { entry: AuditEntry | undefined }) {
  if (!entry) return <p className="text-muted text-sm">This entry is not in the current list.</p>;
  const changes = auditDiff(entry.before, entry.after);
  return (
    <div className="flex flex-col gap-5">
      <Facts
        rows={[
          [
            "When",
            <span key="when">
              <Instant at={entry.at} />, <Age at={entry.at} className="text-muted" />
            </span>,
          ],
          ["Actor", <Actor key="actor" kind={entry.actorKind} name={entry.actorName} />],
          ["Object", <SubjectLink key="to" kind={entry.subjectKind} id={entry.subjectId} name={entry.subjectName} />],
          ["ID", <Mono key="id">{entry.id}</Mono>],
        ]}
      />
      <section>
        <h3 className="border-b pb-1 font-medium text-sm">{headingOf(entry)}</h3>
        {changes.length === 0 ? <p className="py-1.5 text-muted text-sm">No fields changed.</p> : null}
        {entry.before === null || entry.after === null ? (
          <Fields changes={changes} />
        ) : (
          <FieldChanges changes={changes} />
        )}
      </section>
    </div>
  );
}

function headingOf({ action, before, after }: AuditEntry): string {
  if (action.startsWith("session.") || action.endsWith(".refuse")) return "Details";
  if (before === null) return "Created with";
  return after === null ? "Deleted values" : "Changed";
}

/** A created or deleted object has one side only, so names and values are enough. */
function Fields({ changes }: { changes: readonly FieldChange[] }) {
  return (
    <dl className="divide-y text-xs">
      {changes.map(({ path, before, after }) => (
        <div key={path} className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] gap-3 py-1.5">
          <dt className="break-words text-muted">{path}</dt>
          <dd className="break-words font-mono">{after ?? before}</dd>
        </div>
      ))}
    </dl>
  );
}
