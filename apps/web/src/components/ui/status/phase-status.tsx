"use client";
import type { ExposurePhase } from "@fairlead/domain/exposure";
import { exposureLookedAtEveryMs, freshness } from "@fairlead/domain/node";
import { Age } from "../time/age.tsx";
import { useNowOf } from "../time/now.ts";
import { StatusBadge } from "./status-badge.tsx";

/** How often an exposure or a balancer in this phase is observed. Deleting is shown from the spec, which has no age. */
function expectedEvery(phase: ExposurePhase): number | undefined {
  return phase === "deleting" ? undefined : exposureLookedAtEveryMs;
}

/** The phase of an exposure or balancer; grey if the last observation is too old. */
export function PhaseStatus({
  phase,
  observedAt,
  className,
}: {
  phase: ExposurePhase;
  observedAt: Date | null;
  className?: string;
}) {
  const every = expectedEvery(phase);
  const stale = useNowOf(
    (now) => now > 0 && every !== undefined && freshness(observedAt, every, new Date(now)) === "silent",
  );
  return <StatusBadge status={phase} stale={stale} {...(className ? { className } : {})} />;
}

/** When an exposure or balancer was last observed. */
export function PhaseAge({ phase, observedAt }: { phase: ExposurePhase; observedAt: Date | null }) {
  const every = expectedEvery(phase);
  return <Age at={observedAt} {...(every === undefined ? {} : { expectedEveryMs: every })} />;
}
