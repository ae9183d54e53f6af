"use client";
import { describeAge } from "@fairlead/domain";
import { describeInstant } from "./age-text.ts";
import { useNowOf } from "./now.ts";

/** The time since a state began, ticking. Nothing if that time is unknown. */
export function Lasting({ at }: { at: Date | null }) {
  const age = useNowOf((now) => (!at || now === 0 ? "" : describeAge(now - at.getTime())));
  if (!at) return null;
  return (
    <time
      dateTime={at.toISOString()}
      title={`since ${describeInstant(at)}`}
      // The age appears after hydration. With the same width before and after it, no line breaks elsewhere.
      className="tabular inline-block min-w-20 text-muted text-xs"
    >
      {age === "" ? null : `for ${age}`}
    </time>
  );
}
