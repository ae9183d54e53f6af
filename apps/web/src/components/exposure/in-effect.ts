import type { CreateExposure, Exposure, SpecForEffects, UpdateExposure } from "@fairlead/domain/exposure";

/** inEffectOf returns what clients use of an exposure. While it is paused, that is the spec from before. */
export function inEffectOf(
  exposure: Pick<
    Exposure,
    "workload" | "ports" | "strategy" | "placements" | "healthCheck" | "addresses" | "specInEffect"
  >,
): SpecForEffects {
  const { workload, ports, strategy, placements, healthCheck } = exposure.specInEffect ?? exposure;
  return { workload, ports, strategy, placements, healthCheck, addresses: exposure.addresses };
}

/** specAfter returns the spec once a change is saved. */
export function specAfter(
  exposure: Pick<Exposure, "workload" | "ports" | "strategy" | "placements" | "healthCheck">,
  { workload, ports, strategy, placements, healthCheck }: UpdateExposure,
): SpecForEffects {
  return {
    workload: workload ?? exposure.workload,
    ports: ports ?? exposure.ports,
    strategy: strategy ?? exposure.strategy,
    placements: placements ?? exposure.placements,
    healthCheck: healthCheck === undefined ? exposure.healthCheck : healthCheck,
  };
}

/** The address stays as long as the pool stays the same. */
export function poolOf(strategy: CreateExposure["strategy"]): string | null {
  return "poolId" in strategy ? (strategy.poolId ?? null) : null;
}
