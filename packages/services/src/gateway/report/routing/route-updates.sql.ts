import type { Tx } from "@fairlead/db";
import { newId } from "@fairlead/domain";
import { bgpRoles } from "@fairlead/domain/node";
import { measurePhases, type StepTaken, splitSteps, updateWindowMs } from "@fairlead/domain/routing";
import type { AgentIdentity } from "../../identity/identities.sql.ts";
import type { CheckedReport } from "../check-report.ts";

type Told = { agent: AgentIdentity; report: CheckedReport };

/** What comes or goes: all updates of one such are told apart together. */
type Change = { organizationId: string; clusterId: string; prefix: string; nextHop: string; isWithdrawal: boolean };
type Changed = Change & { steps: StepTaken[] };
type Kept = { position: number; id: string; steps: StepTaken[] };

/**
 * recordUpdates adds the steps that agents tell of to the updates that are known already, in whatever order they come,
 * and as often. It comes last in a transaction, for it waits for those who do the same in another.
 */
export async function recordUpdates(tx: Tx, told: readonly Told[]): Promise<void> {
  const changed = groupSteps(told);
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

/** Of every report in a batch, not only the last of each agent: each tells of other steps. */
function groupSteps(told: readonly Told[]): Changed[] {
  const changed = new Map<string, Changed>();
  for (const { agent, report } of told) {
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

/** Those that a step may belong to, oldest first. */
function selectKept(tx: Tx, changed: readonly Changed[]): Promise<Kept[]> {
  const moment = (change: Changed, pick: (...times: number[]) => number, shiftMs: number) =>
    new Date(pick(...change.steps.map((each) => each.atUs)) / 1_000 + shiftMs);
  return tx.$queryRaw<Kept[]>`
    SELECT told.position::int AS position, u.id, u.steps FROM unnest(
      ${changed.map((each) => each.clusterId)}::text[], ${changed.map((each) => each.prefix)}::inet[],
      ${changed.map((each) => each.nextHop)}::inet[], ${changed.map((each) => each.isWithdrawal)}::boolean[],
      ${changed.map((each) => moment(each, Math.min, -2 * updateWindowMs))}::timestamptz[],
      ${changed.map((each) => moment(each, Math.max, 2 * updateWindowMs))}::timestamptz[]
    ) WITH ORDINALITY AS told (cluster_id, prefix, next_hop, is_withdrawal, earliest, latest, position)
    JOIN route_update u ON u.cluster_id = told.cluster_id AND u.prefix = told.prefix AND u.next_hop = told.next_hop
      AND u.is_withdrawal = told.is_withdrawal AND u.began_at BETWEEN told.earliest AND told.latest
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
