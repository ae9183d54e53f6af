import type { Tx } from "@fairlead/db";
import { newId } from "@fairlead/domain";
import { bgpRoles } from "@fairlead/domain/node";
import { measurePhases, type StepTaken, splitSteps, updateWindowMs } from "@fairlead/domain/routing";
import type { AgentIdentity } from "../../identity/identities.sql.ts";
import type { CheckedReport } from "../check-report.ts";

type Reported = { agent: AgentIdentity; report: CheckedReport };

/** What is added or removed: its updates are separated together. */
type Change = { organizationId: string; clusterId: string; prefix: string; nextHop: string; isWithdrawal: boolean };
type Changed = Change & { steps: StepTaken[] };
type Kept = { position: number; id: string; steps: StepTaken[] };

/**
 * recordUpdates adds the steps that agents report to the updates that are known already, in any order, repeated or not.
 * It comes last in a transaction, because it waits for others that do the same.
 */
export async function recordUpdates(tx: Tx, reported: readonly Reported[]): Promise<void> {
  const changed = groupSteps(reported);
  if (changed.length === 0) return;
  for (const clusterId of [...new Set(changed.map((each) => each.clusterId))].sort())
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`fairlead.updates.${clusterId}`}, 0))`;
  const kept = Map.groupBy(await selectKept(tx, changed), (each) => each.position);
  const surplus: string[] = [];
  const rows = changed.flatMap((change, index) => {
    const before = kept.get(index + 1) ?? [];
    const updates = splitSteps([...before.flatMap((each) => each.steps), ...change.steps]);
    surplus.push(...before.slice(updates.length).map((each) => each.id));
    return updates.map((steps, place) => ({ ...change, id: before[place]?.id ?? newId("routeUpdate"), steps }));
  });
  await tx.routeUpdate.deleteMany({ where: { id: { in: surplus } } });
  await writeUpdates(tx, rows);
}

/** From every report in a batch, not only the last of each agent: each has different steps. */
function groupSteps(reported: readonly Reported[]): Changed[] {
  const changed = new Map<string, Changed>();
  for (const { agent, report } of reported) {
    if (!agent.roles.some((role) => bgpRoles.includes(role))) continue;
    const { organizationId, clusterId, agentId, nodeName } = agent;
    for (const { step, atUs, prefix, nextHop, isWithdrawal } of report.bgp?.updates ?? []) {
      const key = [clusterId, prefix, nextHop, isWithdrawal].join(" ");
      const change = changed.get(key) ?? { organizationId, clusterId, prefix, nextHop, isWithdrawal, steps: [] };
      change.steps.push({ step, agentId, nodeName, atUs });
      changed.set(key, change);
    }
  }
  return [...changed.values()];
}

/** The updates that a step may belong to, oldest first. */
function selectKept(tx: Tx, changed: readonly Changed[]): Promise<Kept[]> {
  const moment = (change: Changed, pick: (...times: number[]) => number, shiftMs: number) =>
    new Date(pick(...change.steps.map((each) => each.atUs)) / 1_000 + shiftMs);
  return tx.$queryRaw<Kept[]>`
    SELECT reported.position::int AS position, u.id, u.steps FROM unnest(
      ${changed.map((each) => each.clusterId)}::text[], ${changed.map((each) => each.prefix)}::inet[],
      ${changed.map((each) => each.nextHop)}::inet[], ${changed.map((each) => each.isWithdrawal)}::boolean[],
      ${changed.map((each) => moment(each, Math.min, -2 * updateWindowMs))}::timestamptz[],
      ${changed.map((each) => moment(each, Math.max, 2 * updateWindowMs))}::timestamptz[]
    ) WITH ORDINALITY AS reported (cluster_id, prefix, next_hop, is_withdrawal, earliest, latest, position)
    JOIN route_update u ON u.cluster_id = reported.cluster_id AND u.prefix = reported.prefix AND u.next_hop = reported.next_hop
      AND u.is_withdrawal = reported.is_withdrawal AND u.began_at BETWEEN reported.earliest AND reported.latest
    ORDER BY u.began_at, u.id`;
}

async function writeUpdates(tx: Tx, rows: readonly (Changed & { id: string })[]): Promise<void> {
  const of = <T>(pick: (row: (typeof rows)[number]) => T) => rows.map(pick);
  const phases = ({ steps, isWithdrawal }: Changed) => JSON.stringify(measurePhases(steps, isWithdrawal));
  await tx.$executeRaw`
    INSERT INTO route_update (id, organization_id, cluster_id, prefix, next_hop, is_withdrawal, began_at, steps, phases)
    SELECT * FROM unnest(
      ${of((row) => row.id)}::text[], ${of((row) => row.organizationId)}::text[], ${of((row) => row.clusterId)}::text[],
      ${of((row) => row.prefix)}::inet[], ${of((row) => row.nextHop)}::inet[], ${of((row) => row.isWithdrawal)}::boolean[],
      ${of((row) => new Date((row.steps[0]?.atUs ?? 0) / 1_000))}::timestamptz[],
      ${of((row) => JSON.stringify(row.steps))}::jsonb[], ${of(phases)}::jsonb[])
    ON CONFLICT (id) DO UPDATE SET began_at = excluded.began_at, steps = excluded.steps, phases = excluded.phases`;
}
