"use client";
import { describeAge } from "@fairlead/domain";
import { describeInstant } from "./age-text.ts";
import { useNowOf } from "./now.ts";

/** For how long something has been as it is, ticking. Nothing while that is not known. */
export function Lasting({ at }: { at: Date | null }) {
  const age = useNowOf((now) => (!at || now === 0 ? "" : describeAge(now - at.getTime())));
  if (!at || age === "") return null;
  return (
    <time dateTime={at.toISOString()} title={`since ${describeInstant(at)}`} className="tabular text-muted text-xs">
      for {age}
    </time>
  );
}
