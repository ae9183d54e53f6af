import type { FieldChange } from "./audit-diff.ts";

/** The changed fields of an object, each with the values before and after. */
export function FieldChanges({ changes }: { changes: readonly FieldChange[] }) {
  return (
    <ul className="divide-y">
      {changes.map((change) => (
        <Change key={change.path} change={change} />
      ))}
    </ul>
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
