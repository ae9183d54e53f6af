"use client";
import { useNowOf } from "@/components/ui/now.ts";
import { StatusGlyph } from "@/components/ui/status-badge.tsx";

const soonMs = 14 * 86_400_000;

/** When a client certificate ends; with a mark once that is soon, for then the cluster is reached no more. */
export function CertificateEnd({ at }: { at: Date }) {
  const isSoon = useNowOf((now) => now !== 0 && at.getTime() - now < soonMs);
  return (
    <span className="tabular inline-flex items-center gap-1.5">
      {at.toISOString().slice(0, 10)}
      {isSoon ? (
        <span className="inline-flex items-center gap-1 text-warn">
          <StatusGlyph shape="triangle" />
          soon: have a new one made
        </span>
      ) : null}
    </span>
  );
}
