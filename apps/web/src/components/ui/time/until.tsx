"use client";
import { describeAge } from "@fairlead/domain";
import { classNames } from "../class-names.ts";
import { describeInstant } from "./age-text.ts";
import { useNow } from "./now.ts";

/** The remaining time, ticking. With warnMs it is highlighted when it is short. */
export function Until({
  at,
  past,
  warnMs = 0,
  className,
}: {
  at: Date;
  past: string;
  warnMs?: number;
  className?: string;
}) {
  const now = useNow();
  if (now === 0) return <span className={classNames("inline-block min-w-16", className)} aria-hidden />;
  const leftMs = at.getTime() - now;
  return (
    <time
      dateTime={at.toISOString()}
      title={describeInstant(at)}
      className={classNames(
        "tabular whitespace-nowrap",
        leftMs <= 0 && "text-bad",
        leftMs > 0 && leftMs <= warnMs && "text-warn",
        className,
      )}
    >
      {leftMs > 0 ? `${describeAge(leftMs)} left` : past}
    </time>
  );
}
