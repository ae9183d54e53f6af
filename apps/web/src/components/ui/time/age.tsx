"use client";
import { classNames } from "../class-names.ts";
import { type AgeLook, describeInstant, describeSince } from "./age-text.ts";
import { useNowOf } from "./now.ts";

/** A ticking age. With expectedEveryMs it turns grey, with a hint, once its source is silent. */
export function Age({
  at,
  expectedEveryMs,
  className,
}: {
  at: Date | null;
  expectedEveryMs?: number;
  className?: string;
}) {
  // Subscribes to the text and not to the time: most ages in a list change only once a minute.
  const text = useNowOf((now) => (now === 0 ? "" : describeSince(at, now, expectedEveryMs).text));
  const grey = useNowOf((now) => isGrey(describeSince(at, now, expectedEveryMs)));
  // The clocks of server and browser differ, so the text appears after hydration. Its space is reserved.
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
