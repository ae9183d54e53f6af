"use client";
import { describeInstant } from "./age-text.ts";
import { useNowOf } from "./now.ts";

/** An exact time in the user's zone, which only the browser has. */
export function Instant({ at }: { at: Date }) {
  const isAlive = useNowOf((now) => now !== 0);
  if (!isAlive) return <span className="inline-block min-w-36" aria-hidden />;
  return (
    <time dateTime={at.toISOString()} className="tabular whitespace-nowrap">
      {describeInstant(at)}
    </time>
  );
}
