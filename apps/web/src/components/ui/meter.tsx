import { classNames } from "./class-names.ts";

/** A usage bar. The text next to it has the same value. */
export function Meter({ ratio, label, stale = false }: { ratio: number; label: string; stale?: boolean }) {
  const percent = Math.min(100, Math.max(0, ratio * 100));
  const tone = stale ? "bg-silent" : percent >= 95 ? "bg-bad" : percent >= 80 ? "bg-warn" : "bg-accent";
  return (
    // biome-ignore lint/a11y/useSemanticElements: <meter> can't be drawn alike in all browsers
    <span
      role="meter"
      aria-label={label}
      aria-valuenow={Math.round(percent)}
      aria-valuemin={0}
      aria-valuemax={100}
      className="inline-block h-1.5 w-16 shrink-0 overflow-hidden rounded-full bg-line"
    >
      <span className={classNames("block h-full", tone)} style={{ width: `${percent}%` }} />
    </span>
  );
}
