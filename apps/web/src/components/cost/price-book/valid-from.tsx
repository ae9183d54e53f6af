import type { Validity } from "./validity.ts";

const words: Record<Validity, string> = { valid: "", later: "not yet", replaced: "replaced by a newer one" };

/** The first day of an entry, and whether it is valid now. */
export function ValidFrom({ day, validity }: { day: string; validity: Validity | undefined }) {
  const word = validity ? words[validity] : "";
  return (
    <>
      <time dateTime={day}>{day}</time>
      {word ? <span className="ml-2 text-muted text-xs">{word}</span> : null}
    </>
  );
}
