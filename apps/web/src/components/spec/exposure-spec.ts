import { type CreateExposure, type UpdateExposure, updateExposure } from "@fairlead/domain/exposure";
import { readSpec } from "./read-spec.ts";

/** exposureSpec returns what creates this exposure again. */
export function exposureSpec({
  clusterId,
  name,
  workload,
  ports,
  strategy,
  healthCheck,
  labels,
}: CreateExposure): CreateExposure {
  return { clusterId, name, workload, ports, strategy, ...(healthCheck ? { healthCheck } : {}), labels };
}

export function readExposureSpec(stored: unknown): UpdateExposure | null {
  return readSpec(updateExposure, withoutEmptySelector(stored));
}

/** Earlier versions accepted an empty selector next to a name, which meant nothing. */
function withoutEmptySelector(stored: unknown): unknown {
  const { workload } = Object(stored) as { workload?: { selector?: object } };
  if (!workload?.selector || Object.keys(workload.selector).length > 0) return stored;
  const { selector: _, ...rest } = workload;
  return { ...Object(stored), workload: rest };
}
