import type { Standing } from "./standing.ts";

const words: Record<Standing, string> = { valid: "", later: "not yet", replaced: "replaced by a newer one" };

/** From which day an entry holds, and whether it does. */
export function ValidFrom({ day, standing }: { day: string; standing: Standing | undefined }) {
  const word = standing ? words[standing] : "";
  return (
    <>
      <time dateTime={day}>{day}</time>
      {word ? <span className="ml-2 text-muted text-xs">{word}</span> : null}
    </>
  );
}
