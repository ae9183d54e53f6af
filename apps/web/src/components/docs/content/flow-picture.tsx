import { MoveRight } from "lucide-react";
import type { Flow } from "./flow.ts";

/** A flowchart as lines, one for each connection: they can be read on a phone and by a screen reader. */
export function FlowPicture({ flow }: { flow: Flow }) {
  return (
    <div className="my-4 flex flex-col gap-3 rounded-md border bg-surface px-4 py-3 text-sm">
      <ul className="flex flex-col gap-2">
        {flow.edges.map(({ from, to, text, isDirected }) => (
          <li key={`${from} ${text} ${to}`} className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <Box>{from}</Box>
            {text ? <span className="text-muted text-xs">{text}</span> : null}
            {isDirected ? <MoveRight className="size-4 shrink-0 text-muted" aria-hidden /> : <Line />}
            <span className="sr-only">{isDirected ? "to" : "with"}</span>
            <Box>{to}</Box>
          </li>
        ))}
      </ul>
      {flow.groups.map(({ title, members }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the groups of a picture never change
        <p key={index} className="text-muted text-xs">
          <span className="font-medium text-ink">{title}</span> contains {members.join(", ")}.
        </p>
      ))}
    </div>
  );
}

function Box({ children }: { children: string }) {
  return <span className="rounded-sm border bg-raised px-2 py-0.5">{children}</span>;
}

function Line() {
  return <span className="h-px w-4 bg-line-strong" aria-hidden />;
}
