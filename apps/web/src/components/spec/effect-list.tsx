import { StatusGlyph } from "../ui/status/status-badge.tsx";

/** What a change does to clients and their connections, each with a warning sign. */
export function EffectList({ effects }: { effects: readonly string[] }) {
  return effects.map((text) => (
    <p key={text} className="mt-2 flex gap-2 text-sm">
      <StatusGlyph shape="triangle" className="mt-1 text-warn" />
      {text}
    </p>
  ));
}
