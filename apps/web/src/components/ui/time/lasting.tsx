"use client";
import { describeAge } from "@fairlead/domain";
import { describeInstant } from "./age-text.ts";
import { useNowOf } from "./now.ts";

/** The time since a state began, ticking. Empty while it is unknown. */
export function Lasting({ at }: { at: Date | null }) {
  const age = useNowOf((now) => (!at || now === 0 ? "" : describeAge(now - at.getTime())));
  if (!at || age === "") return null;
  return (
    <time dateTime={at.toISOString()} title={`since ${describeInstant(at)}`} className="tabular text-muted text-xs">
      for {age}
    </time>
  );
}
