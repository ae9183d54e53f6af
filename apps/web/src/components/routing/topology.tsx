import type { LinkState, RoutingSummary } from "@fairlead/domain/routing";
import { TextLink } from "@/components/ui/action/text-link.tsx";
import { classNames } from "@/components/ui/class-names.ts";
import { Section } from "@/components/ui/layout/section.tsx";
import { StatusGlyph } from "@/components/ui/status/status-badge.tsx";
import { countOf } from "@/components/words/numbers.ts";
import { layTopology, type Spot, type Stream } from "./lay-topology.ts";

/** On a narrow screen, the measurement of a balancer takes two lines. */
const rowRem = 4;

const lineLooks: Record<LinkState, { className: string; dash: string | undefined; width: number }> = {
  up: { className: "stroke-line-strong", dash: undefined, width: 1.5 },
  down: { className: "stroke-bad", dash: "4 4", width: 2 },
  stale: { className: "stroke-silent", dash: "1 4", width: 2 },
};

/** BGP sessions and kernel next hops between routers, reflectors and balancers. */
export function Topology({ summary }: { summary: RoutingSummary | undefined }) {
  if (!summary || summary.topology.places.length === 0) return null;
  const { rows, titles, spots, lines, streams } = layTopology(summary.topology);
  return (
    <Section title="Topology" hint={hintOf(summary)}>
      <div className="grid auto-cols-fr grid-flow-col pb-1 text-center text-muted text-xs">
        {titles.map((title) => (
          <span key={title}>{title}</span>
        ))}
      </div>
      <div className="relative" style={{ height: `${Math.max(2, rows) * rowRem}rem` }}>
        <svg className="absolute inset-0 size-full" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden>
          {lines.map(({ key, from, to, state }) => (
            <line
              key={key}
              x1={from.x}
              y1={from.y}
              x2={to.x}
              y2={to.y}
              vectorEffect="non-scaling-stroke"
              className={lineLooks[state].className}
              strokeWidth={lineLooks[state].width}
              strokeDasharray={lineLooks[state].dash}
            />
          ))}
          {streams.map((stream) => {
            const { x, y } = bendOf(stream);
            return (
              <path
                key={stream.key}
                d={`M${stream.from.x} ${stream.from.y} Q${x} ${y} ${stream.to.x} ${stream.to.y}`}
                vectorEffect="non-scaling-stroke"
                fill="none"
                className={stream.isStale ? "stroke-silent" : "stroke-accent"}
                strokeOpacity={0.6}
                strokeWidth={1 + 3 * stream.share}
              />
            );
          })}
        </svg>
        {streams.map((stream) => (
          <StreamLabel key={stream.key} stream={stream} />
        ))}
        {spots.map((spot) => (
          <div
            key={spot.place.key}
            className="absolute -translate-x-1/2 -translate-y-1/2"
            style={{ left: `${spot.x}%`, top: `${spot.y}%` }}
          >
            <Place spot={spot} />
          </div>
        ))}
      </div>
      {streams.length > 0 ? (
        <p className="pt-2 text-muted text-xs">
          Grey lines are sessions. Coloured lines are next hops in routers' kernels, with the share of new flows by
          weight. Each balancer shows its traffic of the last minute.
        </p>
      ) : null}
    </Section>
  );
}

function hintOf({ sessions, topology }: RoutingSummary): string {
  const { total, down, stale } = sessions;
  const troubles = [...(down > 0 ? [`${down} down`] : []), ...(stale > 0 ? [`${stale} stale`] : [])];
  const state =
    troubles.length === 0
      ? `${countOf(total, "session")}, all up.`
      : `${troubles.join(" and ")} of ${countOf(total, "session")}.`;
  return topology.leftOut > 0 ? `${state} ${topology.leftOut} are not drawn.` : state;
}

/** Next to the lines of sessions, which are straight. */
function bendOf({ from, to }: Stream): { x: number; y: number } {
  return { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 + (from.y === to.y ? 24 : (to.y - from.y) * 0.4) };
}

const labelAt = 0.72;

function StreamLabel({ stream }: { stream: Stream }) {
  const { from, to, label, isStale } = stream;
  if (!label) return null;
  const bend = bendOf(stream);
  const at = (axis: "x" | "y") =>
    (1 - labelAt) ** 2 * from[axis] + 2 * labelAt * (1 - labelAt) * bend[axis] + labelAt ** 2 * to[axis];
  return (
    <span
      className={classNames(
        "tabular -translate-x-1/2 -translate-y-1/2 absolute rounded bg-canvas px-1 text-xs",
        isStale ? "text-silent" : "text-accent",
      )}
      style={{ left: `${at("x")}%`, top: `${at("y")}%` }}
      title={`Share of new flows from ${from.name} to ${to.name}, by weight`}
    >
      {label}
    </span>
  );
}

function Place({ spot: { place, name, state, note } }: { spot: Spot }) {
  return (
    <div
      className={classNames(
        "flex w-max max-w-24 flex-col items-center rounded-md border bg-raised px-2 py-0.5 text-sm leading-tight sm:max-w-48 sm:px-3",
        state === "down" && "border-bad",
        state === "stale" && "border-silent border-dashed text-silent",
      )}
    >
      <span className="flex max-w-full items-center gap-1">
        {place.nodeId ? (
          <TextLink href={`/nodes/${place.nodeId}`} className="max-w-full truncate font-medium">
            {name}
          </TextLink>
        ) : (
          <span className="max-w-full truncate font-medium">{name}</span>
        )}
        {state === "stale" ? (
          <span className="inline-flex items-center gap-0.5 text-xs">
            <StatusGlyph shape="dash" />
            stale
          </span>
        ) : null}
      </span>
      {note ? <span className="tabular max-w-full text-center text-muted text-xs sm:truncate">{note}</span> : null}
    </div>
  );
}
