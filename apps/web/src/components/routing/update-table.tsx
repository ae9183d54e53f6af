"use client";
import type { RouteUpdate } from "@fairlead/domain/routing";
import { formatQuantity } from "@/components/charts/data/quantity.ts";
import { lineStyle } from "@/components/charts/plot/line-style.ts";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { TextLink } from "@/components/ui/action/text-link.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { Tooltip } from "@/components/ui/overlay/tooltip.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { drawnMs, drawnPhases, layUpdate } from "./lay-update.ts";
import { phaseWords } from "./update-phases.ts";

/** The latest updates one by one. Their bars share one scale. */
export function UpdateTable({ updates, empty }: { updates: RouteUpdate[] | undefined; empty: string }) {
  const scaleMs = Math.max(0, ...(updates ?? []).map(drawnMs));
  return (
    <RowsTable<RouteUpdate>
      label="Updates"
      rows={updates}
      stacks
      expected={5}
      rowKey={({ id }) => id}
      empty={empty}
      columns={[
        { label: "Next hop", cell: (update) => <NextHop update={update} /> },
        { label: "Prefix", cell: ({ prefix }) => <Mono>{prefix}</Mono> },
        { label: "When", cell: ({ beganAt }) => <Age at={beganAt} /> },
        { label: "Detected", align: "end", cell: ({ phasesMs }) => <Took ms={phasesMs.find} /> },
        { label: "Processed", align: "end", cell: ({ phasesMs }) => <Took ms={phasesMs.notice} /> },
        { label: "Reflector · router · kernel", cell: (update) => <Way update={update} scaleMs={scaleMs} /> },
        {
          label: "Announced to kernel",
          align: "end",
          cell: ({ phasesMs }) => <Took ms={phasesMs.converge} isStrong />,
        },
        { label: "To packets", align: "end", cell: ({ phasesMs }) => <Took ms={phasesMs.carry} /> },
      ]}
    />
  );
}

function NextHop({ update: { nodeId, nodeName, nextHop, isWithdrawal, cause } }: { update: RouteUpdate }) {
  return (
    <span className="block">
      <span className="inline-flex items-center gap-1.5">
        <span className={isWithdrawal ? "text-muted" : undefined}>{isWithdrawal ? "removed:" : "added:"}</span>
        {nodeId ? <TextLink href={`/nodes/${nodeId}`}>{nodeName}</TextLink> : null}
        <Mono>{nextHop}</Mono>
      </span>
      {cause ? <span className="block max-w-72 text-muted text-xs">{cause}</span> : null}
    </span>
  );
}

function Took({ ms, isStrong = false }: { ms: number | undefined; isStrong?: boolean }) {
  if (ms === undefined) return <span className="text-muted">unknown</span>;
  return <span className={isStrong ? "font-medium" : undefined}>{formatQuantity(ms, "ms")}</span>;
}

/** Colours of phases, distinct from the colours of announcements and withdrawals. */
const colourOf = (phase: (typeof drawnPhases)[number]) => lineStyle(2 + drawnPhases.indexOf(phase)).colour;

function Way({ update, scaleMs }: { update: RouteUpdate; scaleMs: number }) {
  const segments = layUpdate(update, scaleMs);
  if (segments.length === 0) return <span className="text-muted">unknown</span>;
  const words = segments.map(({ phase, ms }) => `${phaseWords[phase].title} ${formatQuantity(ms, "ms")}`).join(", ");
  return (
    <Tooltip content={words}>
      <span role="img" aria-label={words} className="relative block h-3 w-40 rounded-[2px] bg-surface lg:w-56">
        {segments.map(({ phase, left, width }) => (
          <span
            key={phase}
            className="absolute inset-y-0 min-w-px"
            style={{ left: `${left}%`, width: `${width}%`, background: colourOf(phase) }}
          />
        ))}
      </span>
    </Tooltip>
  );
}

/** The legend of the bars. */
export function WayLegend() {
  return (
    <p className="flex flex-wrap gap-x-4 pb-2 text-muted text-xs">
      {drawnPhases.map((phase) => (
        <span key={phase} className="inline-flex items-center gap-1.5">
          <span aria-hidden className="size-2 rounded-[1px]" style={{ background: colourOf(phase) }} />
          {phaseWords[phase].title}
        </span>
      ))}
    </p>
  );
}
