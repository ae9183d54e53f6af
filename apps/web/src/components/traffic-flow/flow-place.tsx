import type { FlowPlace as Place } from "@fairlead/domain/traffic-flow";
import { TextLink } from "@/components/ui/action/text-link.tsx";
import { classNames } from "@/components/ui/class-names.ts";
import { StatusGlyph, StatusMark } from "@/components/ui/status/status-badge.tsx";
import { placeDrops, placeFigure, placeHref, placeName, stateLook } from "./flow-words.ts";

/** One place: its state as shape, colour and word, its name, its throughput, and a bar of its share. */
export function FlowPlace({ place }: { place: Place }) {
  const look = stateLook(place.state, place.kind);
  const isTroubled = look !== null && look.tone !== "good";
  const name = placeName(place);
  const href = placeHref(place);
  const drops = placeDrops(place);
  return (
    <div
      className={classNames(
        "relative overflow-hidden rounded-md border bg-raised px-2.5 py-1.5 text-sm leading-tight",
        look?.tone === "bad" && "border-bad",
        look?.tone === "warn" && "border-warn",
        look?.tone === "silent" && "border-silent border-dashed",
      )}
    >
      <div className="flex min-w-0 items-center gap-1.5">
        {look ? <StatusMark look={look} /> : null}
        <span className="min-w-0 truncate font-medium" title={name}>
          {href ? <TextLink href={href}>{name}</TextLink> : name}
        </span>
        {look ? <span className={isTroubled ? "ml-auto shrink-0 text-xs" : "sr-only"}>{look.word}</span> : null}
      </div>
      <div className="tabular pt-0.5 text-muted text-xs">
        <p className="truncate">{placeFigure(place)}</p>
        {drops ? (
          <p className="flex items-center gap-1 text-warn">
            <StatusGlyph shape="triangle" className="size-2.5" />
            {drops}
          </p>
        ) : null}
      </div>
      {place.share && place.share < 0.999 ? (
        <span
          className="absolute bottom-0 left-0 h-0.5 bg-accent"
          style={{ width: `${100 * place.share}%` }}
          aria-hidden
        />
      ) : null}
    </div>
  );
}
