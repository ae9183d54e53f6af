import type { AddressMapEntry } from "@fairlead/domain/address-map";
import { classNames } from "../ui/class-names.ts";
import { StatusGlyph } from "../ui/status/status-badge.tsx";
import { layMap, type MapSpot, maxDrawn, shorten } from "./lay-map.ts";
import { readyLooks } from "./ready-badge.tsx";

const rowRem = 2.25;
const leastRows = 2;
/** Of the titles and the caption. */
const textRem = 2.75;

/** The place of the picture while the map loads. */
export function MapPicturePlace({ instances }: { instances: number }) {
  const rows = Math.max(leastRows, Math.min(instances, maxDrawn));
  return <div aria-hidden style={{ height: `${rows * rowRem + textRem}rem` }} />;
}

/**
 * How clients reach instances: external addresses, instances, nodes. The table next to it has the same content as text.
 */
export function MapPicture({ entries }: { entries: readonly AddressMapEntry[] }) {
  const { titles, rows, spots, lines, leftOut } = layMap(entries);
  if (spots.length === 0) return null;
  return (
    <figure aria-label="External addresses, their instances and nodes">
      <div className="grid auto-cols-fr grid-flow-col pb-1 text-center text-muted text-xs" aria-hidden>
        {titles.map((title) => (
          <span key={title}>{title}</span>
        ))}
      </div>
      <div className="relative" style={{ height: `${Math.max(leastRows, rows) * rowRem}rem` }} aria-hidden>
        <svg className="absolute inset-0 size-full" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden>
          {lines.map(({ key, from, to, isReady }) => (
            <path
              key={key}
              d={`M${from.x} ${from.y} C${(from.x + to.x) / 2} ${from.y} ${(from.x + to.x) / 2} ${to.y} ${to.x} ${to.y}`}
              vectorEffect="non-scaling-stroke"
              fill="none"
              className={isReady ? "stroke-line-strong" : "stroke-warn"}
              strokeWidth={isReady ? 1.5 : 2}
              strokeDasharray={isReady ? undefined : "4 4"}
            />
          ))}
        </svg>
        {spots.map((spot) => (
          <Spot key={spot.key} spot={spot} />
        ))}
      </div>
      <figcaption className="pt-2 text-muted text-xs">
        Dashed lines lead to instances that are not ready.
        {leftOut > 0 ? ` ${leftOut} more are in the table; those that are not ready are drawn first.` : null}
      </figcaption>
    </figure>
  );
}

function Spot({ spot: { column, name, x, y, isReady } }: { spot: MapSpot }) {
  return (
    <span
      className={classNames(
        "-translate-x-1/2 -translate-y-1/2 absolute flex max-w-[30%] items-center gap-1 rounded-md border bg-raised px-1.5 py-0.5 leading-tight sm:px-2.5",
        column === "address" ? "font-mono text-[0.6875rem] sm:text-xs" : "text-xs sm:text-sm",
        !isReady && column !== "node" && "border-warn",
      )}
      style={{ left: `${x}%`, top: `${y}%` }}
      title={name}
    >
      {column === "instance" && !isReady ? (
        <StatusGlyph shape={readyLooks["not-ready"].shape} className="text-warn" />
      ) : null}
      <span className={classNames("truncate max-sm:hidden", column === "instance" && "font-medium")}>{name}</span>
      <span className={classNames("truncate sm:hidden", column === "instance" && "font-medium")}>{shorten(name)}</span>
    </span>
  );
}
