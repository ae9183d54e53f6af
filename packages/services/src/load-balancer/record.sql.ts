import type { Tx } from "@fairlead/db";
import type { ObservedLoadBalancer } from "@fairlead/domain/exposure";
import { mostStaleMs } from "../exposure/most-stale.ts";

export type LoadBalancerFinding = Pick<ObservedLoadBalancer, "id" | "phase" | "message" | "address"> & {
  replicasReady: number;
  backendsUp: number;
  backendsTotal: number;
};

/** recordLoadBalancers writes the state of balancers, and returns the ids of those whose state changed. */
export async function recordLoadBalancers(
  tx: Tx,
  findings: readonly LoadBalancerFinding[],
  now: Date,
): Promise<ReadonlySet<string>> {
  if (findings.length === 0) return new Set();
  const of = <T>(pick: (each: LoadBalancerFinding) => T) => findings.map(pick);
  const before = new Date(now.getTime() - findings.length * mostStaleMs);
  const rows = await tx.$queryRaw<{ id: string }[]>`
    WITH seen AS (
      SELECT finding.*, stored.observed_at AS stored_at,
        (stored.phase, stored.message, stored.address, stored.replicas_ready, stored.backends_up, stored.backends_total)
        IS DISTINCT FROM (finding.phase, finding.message, finding.address, finding.replicas_ready, finding.backends_up, finding.backends_total)
        AS is_other
      FROM unnest(${of((each) => each.id)}::text[], ${of((each) => each.phase)}::text[],
        ${of((each) => each.message)}::text[], ${of((each) => each.address)}::text[],
        ${of((each) => each.replicasReady)}::int[], ${of((each) => each.backendsUp)}::int[],
        ${of((each) => each.backendsTotal)}::int[])
        AS finding (id, phase, message, address, replicas_ready, backends_up, backends_total)
      LEFT JOIN load_balancer_status AS stored ON stored.load_balancer_id = finding.id
    ), written AS (
      INSERT INTO load_balancer_status
        (load_balancer_id, phase, message, address, replicas_ready, backends_up, backends_total, observed_at)
      SELECT id, phase, message, address, replicas_ready, backends_up, backends_total, ${now} FROM seen
      WHERE is_other OR stored_at <= ${before}
      ON CONFLICT (load_balancer_id) DO UPDATE SET phase = excluded.phase, message = excluded.message,
        address = excluded.address, replicas_ready = excluded.replicas_ready, backends_up = excluded.backends_up,
        backends_total = excluded.backends_total, observed_at = excluded.observed_at
    )
    SELECT id FROM seen WHERE is_other`;
  return new Set(rows.map((each) => each.id));
}
