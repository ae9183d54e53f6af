import type { ReactNode } from "react";
import { classNames } from "../class-names.ts";

export const tones = {
  neutral: "bg-surface text-muted border-line",
  accent: "bg-accent-soft text-accent border-transparent",
  good: "bg-good-soft text-good border-transparent",
  warn: "bg-warn-soft text-warn border-transparent",
  bad: "bg-bad-soft text-bad border-transparent",
  silent: "bg-silent-soft text-silent border-transparent",
} as const;
export type Tone = keyof typeof tones;

/** A property of an object, such as its kind or strategy. For states there is StatusBadge. */
export function Badge({ tone = "neutral", children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={classNames(
        "inline-flex h-5 items-center whitespace-nowrap rounded-sm border px-1.5 text-xs",
        tones[tone],
      )}
    >
      {children}
    </span>
  );
}
