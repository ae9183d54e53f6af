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
  return readSpec(updateExposure, stored);
}
