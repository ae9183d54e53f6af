import {
  type CreateExposure,
  storedSessionDefaults,
  type UpdateExposure,
  updateExposure,
} from "@fairlead/domain/exposure";
import { readSpec } from "./read-spec.ts";

/** exposureSpec returns what creates this exposure again. */
export function exposureSpec({
  clusterId,
  name,
  workload,
  ports,
  strategy,
  placements = [],
  healthCheck,
  labels,
}: CreateExposure): CreateExposure {
  return {
    ...{ clusterId, name, workload, ports, strategy },
    ...(placements.length > 0 ? { placements } : {}),
    ...(healthCheck ? { healthCheck } : {}),
    labels,
  };
}

export function readExposureSpec(stored: unknown): UpdateExposure | null {
  return readSpec(updateExposure, withStoredDefaults(withoutEmptySelector(stored)));
}

/** Earlier versions stored less than this one, and meant something else by it than a new spec does. */
function withStoredDefaults(stored: unknown): unknown {
  const { strategy } = Object(stored) as { strategy?: { type?: unknown } };
  if (strategy?.type !== "session") return stored;
  return { ...Object(stored), strategy: { ...storedSessionDefaults, ...strategy } };
}

/** Earlier versions accepted an empty selector next to a name, which meant nothing. */
function withoutEmptySelector(stored: unknown): unknown {
  const { workload } = Object(stored) as { workload?: { selector?: object } };
  if (!workload?.selector || Object.keys(workload.selector).length > 0) return stored;
  const { selector: _, ...rest } = workload;
  return { ...Object(stored), workload: rest };
}
