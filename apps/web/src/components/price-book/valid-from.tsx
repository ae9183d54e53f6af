import type { Standing } from "./validity.ts";

const words: Record<Standing, string> = { valid: "", later: "not yet", replaced: "replaced by a newer one" };

/** The first day of an entry, and whether it is valid now. */
export function ValidFrom({ day, standing }: { day: string; standing: Standing | undefined }) {
  const word = standing ? words[standing] : "";
  return (
    <>
      <time dateTime={day}>{day}</time>
      {word ? <span className="ml-2 text-muted text-xs">{word}</span> : null}
    </>
  );
}
