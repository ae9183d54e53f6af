import type { Tx } from "@fairlead/db";
import type { ReportedClients } from "./balancer-report.ts";

export type SampleWrite = ReportedClients & { replicaId: string; agentId: string };

/** Unchanged ones, such as problems, are written this seldom. */
const refreshedMs = 60_000;

/** writeSamples stores client networks, unless their exposure no longer samples them: a report may arrive late. */
export async function writeSamples(tx: Tx, written: readonly SampleWrite[], now: Date): Promise<void> {
  if (written.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO client_sample AS kept (replica_id, agent_id, sampled_at, seconds, one_in, problem, networks, other_bps)
    SELECT r.id, sampled.agent_id, ${now}::timestamptz, sampled.seconds, sampled.one_in, sampled.problem, sampled.networks, sampled.other_bps FROM unnest(
      ${written.map((each) => each.replicaId)}::text[], ${written.map((each) => each.agentId)}::text[],
      ${written.map((each) => each.seconds)}::int[],
      ${written.map((each) => each.oneIn)}::int[], ${written.map((each) => each.problem)}::text[],
      ${written.map((each) => JSON.stringify(each.networks))}::jsonb[], ${written.map((each) => each.otherBps)}::float8[])
      AS sampled (replica_id, agent_id, seconds, one_in, problem, networks, other_bps)
    JOIN replica r ON r.id = sampled.replica_id JOIN load_balancer l ON l.id = r.load_balancer_id
    JOIN exposure_in_effect_view e ON e.id = l.exposure_id AND (e.parameters ->> 'sampleClients')::boolean
    ORDER BY r.id
    ON CONFLICT (replica_id) DO UPDATE SET agent_id = excluded.agent_id, sampled_at = excluded.sampled_at, seconds = excluded.seconds,
      one_in = excluded.one_in, problem = excluded.problem, networks = excluded.networks, other_bps = excluded.other_bps
    WHERE (kept.agent_id, kept.problem, kept.networks) IS DISTINCT FROM (excluded.agent_id, excluded.problem, excluded.networks)
      OR kept.sampled_at < ${new Date(now.getTime() - refreshedMs)}`;
}
