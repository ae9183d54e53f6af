import { classNames } from "../class-names.ts";
import { type Status, type StatusLook, type StatusShape, type StatusTone, statusLooks } from "./status.ts";

const colours: Record<StatusTone, string> = {
  good: "text-good",
  warn: "text-warn",
  bad: "text-bad",
  silent: "text-silent",
  accent: "text-accent",
};

/** A state as word, shape and colour. `stale` greys it: the source is silent, so the state is outdated. */
export function StatusBadge({
  status,
  stale = false,
  className,
}: {
  status: Status | StatusLook;
  stale?: boolean;
  className?: string;
}) {
  const look = typeof status === "string" ? statusLooks[status] : status;
  return (
    <span
      className={classNames("inline-flex items-center gap-1.5 whitespace-nowrap align-middle", className)}
      {...(stale ? { title: "Its source is silent. This is the last reported state." } : {})}
    >
      <StatusMark look={stale ? { ...look, tone: "silent" } : look} />
      <span className={stale ? "text-silent" : undefined}>{stale ? `Was ${look.word.toLowerCase()}` : look.word}</span>
    </span>
  );
}

/** The shape of a state in its colour. */
export function StatusMark({ look, className }: { look: StatusLook; className?: string }) {
  return <StatusGlyph shape={look.shape} className={classNames(colours[look.tone], className)} />;
}

export function StatusGlyph({ shape, className }: { shape: StatusShape; className?: string | undefined }) {
  return (
    <svg viewBox="0 0 12 12" className={classNames("size-3 shrink-0", className)} aria-hidden>
      {drawings[shape]}
    </svg>
  );
}

const drawings: Record<StatusShape, React.ReactNode> = {
  disc: <circle cx="6" cy="6" r="4.5" fill="currentColor" />,
  ring: <circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" strokeWidth="1.6" />,
  half: (
    <>
      <circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" strokeWidth="1.6" />
      <path d="M6 2a4 4 0 0 1 0 8z" fill="currentColor" />
    </>
  ),
  triangle: <path d="M6 1.2 11.3 10.6H.7z" fill="currentColor" />,
  square: <rect x="1.8" y="1.8" width="8.4" height="8.4" rx="1" fill="currentColor" />,
  cross: <path d="m2.4 2.4 7.2 7.2m0-7.2-7.2 7.2" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round" />,
  dash: <path d="M.8 6h2.4M4.8 6h2.4M8.8 6h2.4" stroke="currentColor" strokeWidth="2.2" />,
  bars: <path d="M3.6 2v8M8.4 2v8" stroke="currentColor" strokeWidth="2.4" />,
  arrow: (
    <path
      d="M6 1.5v8M2.6 6.4 6 9.8l3.4-3.4"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  ),
};
