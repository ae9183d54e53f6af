"use client";
import { describeInstant, describeSince } from "./age-text.ts";
import { classNames } from "./class-names.ts";
import { useNow } from "./now.ts";

/**
 * How long ago something was seen, ticking. With expectedEveryMs it is a live value's age: once its source is
 * silent it turns grey and says so.
 */
export function Age({
  at,
  expectedEveryMs,
  className,
}: {
  at: Date | null;
  expectedEveryMs?: number;
  className?: string;
}) {
  const now = useNow();
  // The server's clock and the browser's differ, so the words appear once the page is alive; their place is kept.
  if (now === 0) return <span className={classNames("inline-block min-w-16 text-muted", className)} aria-hidden />;
  const look = describeSince(at, now, expectedEveryMs);
  const grey = look.freshness === "silent" || look.freshness === "never";
  if (!at) return <span className={classNames("text-silent", className)}>{look.text}</span>;
  return (
    <time
      dateTime={at.toISOString()}
      title={describeInstant(at)}
      className={classNames("tabular whitespace-nowrap", grey && "text-silent", className)}
    >
      {look.text}
    </time>
  );
}
