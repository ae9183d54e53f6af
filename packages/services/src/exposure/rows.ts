import { Prisma, viewSource } from "@fairlead/db";
import {
  type Condition,
  type Exposure,
  exposure,
  type HealthCheck,
  pausedCondition,
  type SpecInEffect,
  type Strategy,
  storedSessionDefaults,
} from "@fairlead/domain/exposure";
import { z } from "zod";

/** The spec's strategy is stored as its type and the rest, so that lists can filter and sort by the type. */
export type ExposureRow = Omit<Exposure, "strategy" | "specInEffect"> &
  StoredStrategy & { specInEffect: StoredSpec | null };
type StoredStrategy = { strategy: Strategy["type"]; parameters: object };

/** What freezeSpec keeps: its keys are columns. */
type StoredSpec = Omit<SpecInEffect, "strategy" | "healthCheck"> &
  StoredStrategy & { health_check: SpecInEffect["healthCheck"] };

export const exposureSource = viewSource(
  "exposure_view",
  exposure.extend({ parameters: z.record(z.string(), z.unknown()) }),
);

export function toExposure({ parameters, ...row }: ExposureRow): Exposure {
  const { strategy, conditions, specInEffect } = row;
  const paused = pausedCondition(row);
  return {
    ...row,
    message: messageOf(row),
    conditions: [...(paused ? [paused] : []), ...readConditions(conditions)],
    strategy: joinStrategy(strategy, parameters),
    specInEffect: specInEffect && toSpecInEffect(specInEffect),
  };
}

function toSpecInEffect({ strategy, parameters, health_check, ...rest }: StoredSpec): SpecInEffect {
  return { ...rest, strategy: joinStrategy(strategy, parameters), healthCheck: health_check };
}

/** The last message of an exposure may be from before it was deleted. */
function messageOf({ message, deletedAt, generation, observedGeneration }: Omit<ExposureRow, "parameters">): string {
  if (deletedAt && observedGeneration < generation) return "Waits for its removal; until then it keeps serving.";
  return message || "Waits for its first reconciliation.";
}

/** readConditions restores the dates that JSON has no type for. The column holds what recordObservedExposure wrote. */
export function readConditions(stored: unknown): Condition[] {
  return (stored as Condition[]).map((each) => ({ ...each, changedAt: new Date(each.changedAt) }));
}

export function splitStrategy({ type, ...parameters }: Strategy): { strategy: Strategy["type"]; parameters: object } {
  return { strategy: type, parameters };
}

/** storedCheck is a health check for its column; null is the default and stored as SQL NULL. */
export function storedCheck(healthCheck: HealthCheck | null): HealthCheck | typeof Prisma.DbNull {
  return healthCheck ?? Prisma.DbNull;
}

/** joinStrategy trusts the columns: only splitStrategy writes them, from a value that was valid in the version that wrote it. */
export function joinStrategy(type: Strategy["type"], parameters: object): Strategy {
  const added = type === "session" ? storedSessionDefaults : {};
  return { type, ...added, ...parameters } as Strategy;
}
