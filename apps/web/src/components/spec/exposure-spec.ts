import { type CreateExposure, type UpdateExposure, updateExposure } from "@fairlead/domain/exposure";

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

const fields = updateExposure.keyof().options;

/**
 * readExposureSpec returns the fields of an audit entry that a change may set; null if this version of Fairlead can't read
 * them.
 */
export function readExposureSpec(stored: unknown): UpdateExposure | null {
  if (typeof stored !== "object" || stored === null) return null;
  const known = Object.entries(stored).filter(([name]) => fields.includes(name as keyof UpdateExposure));
  const spec = updateExposure.safeParse(Object.fromEntries(known));
  return spec.success ? spec.data : null;
}
