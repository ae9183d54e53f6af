import type { ReactNode } from "react";
import { CommandLine } from "@/components/ui/command-line.tsx";
import { StatusGlyph } from "@/components/ui/status-badge.tsx";

/** A secret that is shown this once, with its copy button and what to do with it. */
export function ShownOnce({ label, value, children }: { label: string; value: string; children?: ReactNode }) {
  return (
    <div className="flex flex-col gap-3">
      <p className="flex items-center gap-2 text-sm">
        <StatusGlyph shape="triangle" className="text-warn" />
        Copy it now: it is shown this once and can't be read again.
      </p>
      <CommandLine command={value} label={label} />
      {children}
    </div>
  );
}
