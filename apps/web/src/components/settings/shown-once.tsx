import type { ReactNode } from "react";
import { CommandLine } from "@/components/ui/action/command-line.tsx";
import { StatusGlyph } from "@/components/ui/status/status-badge.tsx";

/** A secret that is shown once, with a copy button and instructions. */
export function ShownOnce({ label, value, children }: { label: string; value: string; children?: ReactNode }) {
  return (
    <div className="flex flex-col gap-3">
      <p className="flex items-center gap-2 text-sm">
        <StatusGlyph shape="triangle" className="text-warn" />
        Copy it now. It is shown only once.
      </p>
      <CommandLine command={value} label={label} />
      {children}
    </div>
  );
}
