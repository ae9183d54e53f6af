import type { Db, Tx } from "@fairlead/db";
import type { NodeResources, ResourceMetrics, Workload } from "@fairlead/domain/exposure";

/** MeasuredExposure is an exposure whose page shows what metrics-server measures. */
export type MeasuredExposure = { id: string; clusterId: string; workload: Workload };

/**
 * selectMeasured returns the exposures of attached clusters whose metrics were last read before a time. Another controller may have
 * read the others.
 */
export function selectMeasured(db: Db, before: Date): Promise<MeasuredExposure[]> {
  return db.$queryRaw<MeasuredExposure[]>`
    SELECT e.id, e.cluster_id AS "clusterId", e.workload
    FROM exposure_in_effect_view e JOIN kubernetes_access k ON k.cluster_id = e.cluster_id
    LEFT JOIN resource_metrics m ON m.exposure_id = e.id
    WHERE e.strategy = 'adaptive' AND e.deleted_at IS NULL AND (m.read_at IS NULL OR m.read_at < ${before})
    ORDER BY e.id`;
}

/** recordMetrics stores what was read. An exposure that was deleted meanwhile has none. */
export async function recordMetrics(
  tx: Tx,
  exposureId: string,
  nodes: readonly NodeResources[],
  readAt: Date,
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO resource_metrics (exposure_id, problem, nodes, read_at)
    SELECT id, '', ${JSON.stringify(nodes)}::jsonb, ${readAt} FROM exposure WHERE id = ${exposureId}
    ON CONFLICT (exposure_id) DO UPDATE SET problem = '', nodes = excluded.nodes, read_at = excluded.read_at`;
}

/** recordMetricsProblem keeps the last figures of these exposures, and stores why there are no current ones. */
export async function recordMetricsProblem(
  tx: Tx,
  exposureIds: readonly string[],
  problem: string,
  readAt: Date,
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO resource_metrics (exposure_id, problem, read_at)
    SELECT id, ${problem}, ${readAt} FROM exposure WHERE id = ANY(${[...exposureIds]}::text[])
    ON CONFLICT (exposure_id) DO UPDATE SET problem = excluded.problem, read_at = excluded.read_at`;
}

/** StoredMetrics is ResourceMetrics with times as text, as JSON has them. */
type Stored<T> = T extends Date ? string : T extends object ? { [Field in keyof T]: Stored<T[Field]> } : T;

/** findMetrics returns what was last read for an exposure; null before the first read. */
export async function findMetrics(tx: Tx, exposureId: string): Promise<ResourceMetrics | null> {
  const row = await tx.resourceMetrics.findUnique({ where: { exposureId } });
  if (!row) return null;
  // Only recordMetrics writes it.
  const nodes = row.nodes as unknown as Stored<NodeResources>[];
  return {
    ...{ problem: row.problem, readAt: row.readAt },
    nodes: nodes.map((each) => ({ ...each, node: withTime(each.node), instances: withTime(each.instances) })),
  };
}

type Measured = NonNullable<NodeResources["node"]>;

function withTime(measured: Stored<Measured> | null): Measured | null {
  return measured && { ...measured, measuredAt: new Date(measured.measuredAt) };
}
