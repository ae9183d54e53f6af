import type { AuditEntry } from "@fairlead/domain/access";
import { SubjectLink } from "@/components/event/subject-link.tsx";
import { Facts } from "@/components/table/facts.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { Instant } from "@/components/ui/time/instant.tsx";
import { Actor } from "./actor.tsx";
import { auditDiff, type FieldChange } from "./audit-diff.ts";

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
          <ul className="divide-y">
            {changes.map((change) => (
              <Change key={change.path} change={change} />
            ))}
          </ul>
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

/** The values before and after, one below the other, marked by sign and word as well as by colour. */
function Change({ change: { path, before, after } }: { change: FieldChange }) {
  return (
    <li className="py-1.5">
      <p className="text-muted text-xs">{path}</p>
      {before === undefined ? null : <Side sign="−" word="before" text={before} className="bg-bad-soft text-bad" />}
      {after === undefined ? null : <Side sign="+" word="after" text={after} className="bg-good-soft text-good" />}
    </li>
  );
}

function Side({ sign, word, text, className }: { sign: string; word: string; text: string; className: string }) {
  return (
    <p className={`mt-0.5 flex gap-2 rounded-sm px-1.5 py-0.5 font-mono text-xs ${className}`}>
      <span aria-hidden>{sign}</span>
      <span className="sr-only">{word}: </span>
      <span className="min-w-0 whitespace-pre-wrap break-words">{text}</span>
    </p>
  );
}
