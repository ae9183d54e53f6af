"use client";
import { describeAge } from "@fairlead/domain";
import { describeInstant } from "./age-text.ts";
import { useNow } from "./now.ts";

/** For how long something has been as it is, ticking. Nothing while that is not known. */
export function Lasting({ at }: { at: Date | null }) {
  const now = useNow();
  if (!at || now === 0) return null;
  return (
    <time dateTime={at.toISOString()} title={`since ${describeInstant(at)}`} className="tabular text-muted text-xs">
      for {describeAge(now - at.getTime())}
    </time>
  );
}
