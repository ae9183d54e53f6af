import type { Exposure } from "@fairlead/domain/exposure";

/** desiredOf is the spec of an exposure, the part that an audit entry compares. */
export function desiredOf(exposure: Exposure) {
  const { clusterId, name, workload, ports, strategy, placements, healthCheck, labels, addresses } = exposure;
  return { clusterId, name, workload, ports, strategy, placements, healthCheck, labels, addresses };
}
