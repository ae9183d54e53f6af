import { statusLooks } from "@/components/ui/status/status.ts";
import { StatusMark } from "@/components/ui/status/status-badge.tsx";
import { frame } from "../plot/plot-frame.ts";
import type { Mark } from "./marks.ts";

const markSize = 12;

/** A line at the time of each event, and its severity above. The page lists the same events as text. */
export function EventMarks({ marks }: { marks: readonly Mark[] }) {
  return (
    <div aria-hidden className="pointer-events-none absolute inset-0">
      {marks.map(({ event, x }) => (
        <div
          key={event.id}
          data-event={event.reason}
          className="absolute border-line-strong border-l border-dashed"
          style={{ left: x, top: frame.top, bottom: frame.bottom }}
        >
          <StatusMark look={statusLooks[event.severity]} className="absolute -top-1 -left-1.5 bg-canvas" />
        </div>
      ))}
    </div>
  );
}

/** The event under the cursor, in words. */
export function EventLabel({ mark: { event, x }, width }: { mark: Mark; width: number }) {
  const isRight = x > width / 2;
  return (
    <p
      className="pointer-events-none absolute z-10 line-clamp-3 max-w-72 rounded-md border bg-raised px-2 py-1 text-xs shadow-float"
      style={{ top: frame.top + markSize, ...(isRight ? { right: width - x + 6 } : { left: x + 6 }) }}
    >
      {event.message}
    </p>
  );
}
