import type { ReactNode } from "react";
import { StatusGlyph } from "@/components/ui/status/status-badge.tsx";
import { Age } from "@/components/ui/time/age.tsx";

/** Since when an exposure is paused, and what that means here; nothing if it is not paused. */
export function PausedNotice({ pausedAt, children }: { pausedAt: Date | null; children: ReactNode }) {
  if (!pausedAt) return null;
  return (
    <p role="note" className="flex items-baseline gap-2 rounded-md border bg-surface px-4 py-3 text-sm">
      <StatusGlyph shape="bars" className="translate-y-0.5 text-accent" />
      <span>
        <span className="font-medium">Paused</span> <Age at={pausedAt} />. {children}
      </span>
    </p>
  );
}
