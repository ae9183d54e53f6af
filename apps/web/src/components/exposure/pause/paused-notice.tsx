import type { Exposure } from "@fairlead/domain/exposure";
import { StatusGlyph } from "@/components/ui/status/status-badge.tsx";
import { Age } from "@/components/ui/time/age.tsx";

/** Since when an exposure is paused, and what that means; nothing for another. */
export function PausedNotice({ exposure }: { exposure: Exposure }) {
  const { pausedAt, conditions } = exposure;
  if (!pausedAt) return null;
  const condition = conditions.find(({ type }) => type === "Paused");
  return (
    <p role="note" className="flex items-baseline gap-2 rounded-md border bg-surface px-4 py-3 text-sm">
      <StatusGlyph shape="bars" className="translate-y-0.5 text-accent" />
      <span>
        <span className="font-medium">Paused</span> <Age at={pausedAt} />. {condition?.message}
      </span>
    </p>
  );
}
