"use client";
import { type ExposurePhase, exposureLookedAtEveryMs, freshness } from "@fairlead/domain";
import { Age } from "./age.tsx";
import { useNowOf } from "./now.ts";
import { StatusBadge } from "./status-badge.tsx";

/** How often an exposure or a balancer in this phase is looked at. What one that goes shows is its wish, which has no age. */
function expectedEvery(phase: ExposurePhase): number | undefined {
  return phase === "deleting" ? undefined : exposureLookedAtEveryMs;
}

/** The phase of an exposure or balancer; grey once nobody has looked for too long. */
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

/** When an exposure or balancer was last looked at. */
export function PhaseAge({ phase, observedAt }: { phase: ExposurePhase; observedAt: Date | null }) {
  const every = expectedEvery(phase);
  return <Age at={observedAt} {...(every === undefined ? {} : { expectedEveryMs: every })} />;
}
