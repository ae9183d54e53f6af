"use client";
import { kubeconfigNoticeDays } from "@fairlead/domain/kubernetes";
import { StatusGlyph } from "@/components/ui/status/status-badge.tsx";
import { useNowOf } from "@/components/ui/time/now.ts";

const soonMs = kubeconfigNoticeDays * 86_400_000;

/** When a client certificate expires, highlighted if that is soon, because the cluster then becomes unreachable. */
export function CertificateEnd({ at }: { at: Date }) {
  const isSoon = useNowOf((now) => now !== 0 && at.getTime() - now < soonMs);
  return (
    <span className="tabular inline-flex items-center gap-1.5">
      {at.toISOString().slice(0, 10)}
      {isSoon ? (
        <span className="inline-flex items-center gap-1 text-warn">
          <StatusGlyph shape="triangle" />
          soon: renew it
        </span>
      ) : null}
    </span>
  );
}
