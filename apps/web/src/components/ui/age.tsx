"use client";
import { type AgeLook, describeInstant, describeSince } from "./age-text.ts";
import { classNames } from "./class-names.ts";
import { useNowOf } from "./now.ts";

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
  // Asked for the words and not for the time: most of a list's ages are minutes, and drawn anew once a minute.
  const text = useNowOf((now) => (now === 0 ? "" : describeSince(at, now, expectedEveryMs).text));
  const grey = useNowOf((now) => isGrey(describeSince(at, now, expectedEveryMs)));
  // The server's clock and the browser's differ, so the words appear once the page is alive; their place is kept.
  if (text === "") return <span className={classNames("inline-block min-w-16 text-muted", className)} aria-hidden />;
  if (!at) return <span className={classNames("text-silent", className)}>{text}</span>;
  return (
    <time
      dateTime={at.toISOString()}
      title={describeInstant(at)}
      className={classNames("tabular whitespace-nowrap", grey && "text-silent", className)}
    >
      {text}
    </time>
  );
}

function isGrey({ freshness }: AgeLook): boolean {
  return freshness === "silent" || freshness === "never";
}
