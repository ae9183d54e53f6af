import type { NodeResources } from "@fairlead/domain/exposure";
import { query } from "./database.ts";
import { insertAgent } from "./reports.ts";

const mebibyte = 2 ** 20;

/** What metrics-server measures: the first node is overloaded, and the third has no instance. */
const nodes = [
  { name: "node-1", instanceCount: 2, cpuCores: 0.96, memoryBytes: 96 * mebibyte },
  { name: "node-2", instanceCount: 1, cpuCores: 0.2, memoryBytes: 64 * mebibyte },
  { name: "node-3", instanceCount: 0, cpuCores: 0, memoryBytes: 0 },
] as const;

/** insertMetrics stores agents on three nodes, and the figures of metrics-server for an exposure, as just read. */
export async function insertMetrics(exposureId: string, now: Date): Promise<void> {
  for (const { name } of nodes) await insertAgent(exposureId, name, "adaptive");
  const seen = { measuredAt: now, windowMs: 10_062 };
  const resources: NodeResources[] = nodes.map(({ name, instanceCount, cpuCores, memoryBytes }) => ({
    nodeName: name,
    node: {
      ...{ cpuCores: 1.5, cpuCapacityCores: 4, memoryBytes: 2_048 * mebibyte, memoryCapacityBytes: 8_192 * mebibyte },
      ...seen,
    },
    instanceCount,
    instances:
      instanceCount === 0
        ? null
        : { cpuCores, cpuCapacityCores: 1, memoryBytes, memoryCapacityBytes: 256 * mebibyte, ...seen },
  }));
  await query("INSERT INTO resource_metrics (exposure_id, nodes, read_at) VALUES ($1, $2::jsonb, $3::timestamptz)", [
    exposureId,
    JSON.stringify(resources),
    now.toISOString(),
  ]);
}

/** insertMetricsProblem stores why metrics-server has no figures. */
export async function insertMetricsProblem(exposureId: string, problem: string): Promise<void> {
  await query("UPDATE resource_metrics SET problem = $2 WHERE exposure_id = $1", [exposureId, problem]);
}
