import type { Tx } from "@fairlead/db";
import { newId } from "@fairlead/domain";
import { bgpRoles } from "@fairlead/domain/node";
import type { AgentIdentity } from "../../identity/identities.sql.ts";
import type { CheckedReport } from "../check-report.ts";
import type { ReportedTransition } from "./check-transitions.ts";

/** Per session or announcement: one that flaps for days must not push out the others. */
export const mostOfOne = 1_000;

type Reported = { agent: AgentIdentity; report: CheckedReport };
type Row = { agent: AgentIdentity; transition: ReportedTransition };

/**
 * recordTransitions adds the transitions that agents report, of every report in a batch: each report has different
 * ones.
 */
export async function recordTransitions(tx: Tx, reported: readonly Reported[]): Promise<void> {
  const rows = reported
    .filter(({ agent }) => agent.roles.some((role) => bgpRoles.includes(role)))
    .flatMap(({ agent, report }) => (report.bgp?.transitions ?? []).map((transition): Row => ({ agent, transition })))
    .sort((a, b) => a.transition.at.getTime() - b.transition.at.getTime());
  if (rows.length === 0) return;
  await insert(tx, rows);
  await dropSurplus(tx, rows);
}

async function insert(tx: Tx, rows: readonly Row[]): Promise<void> {
  const of = <T>(pick: (row: Row) => T) => rows.map(pick);
  // In order: of transitions in one millisecond, the id gives the order.
  const ids = of(({ transition }) => newId("bgpTransition", transition.at)).sort();
  await tx.$executeRaw`
    INSERT INTO bgp_transition (id, organization_id, cluster_id, agent_id, node_name, kind, about, peer_asn, next_hop,
      load_balancer_id, from_state, to_state, at, reason)
    SELECT * FROM unnest(
      ${ids}::text[], ${of(({ agent }) => agent.organizationId)}::text[], ${of(({ agent }) => agent.clusterId)}::text[],
      ${of(({ agent }) => agent.agentId)}::text[], ${of(({ agent }) => agent.nodeName)}::text[],
      ${of(({ transition }) => transition.kind)}::text[], ${of(({ transition }) => transition.about)}::inet[],
      ${of(({ transition }) => transition.peerAsn)}::bigint[], ${of(({ transition }) => transition.nextHop)}::inet[],
      ${of(({ transition }) => transition.loadBalancerId)}::text[], ${of(({ transition }) => transition.from)}::text[],
      ${of(({ transition }) => transition.to)}::text[], ${of(({ transition }) => transition.at)}::timestamptz[],
      ${of(({ transition }) => transition.reason)}::text[])`;
}

async function dropSurplus(tx: Tx, rows: readonly Row[]): Promise<void> {
  const touched = [
    ...new Map(
      rows.map(({ agent: { agentId }, transition: { kind, about } }) => [
        `${agentId} ${kind} ${about}`,
        { agentId, kind, about },
      ]),
    ).values(),
  ];
  await tx.$executeRaw`
    DELETE FROM bgp_transition WHERE id IN (
      SELECT surplus.id FROM unnest(
        ${touched.map((each) => each.agentId)}::text[], ${touched.map((each) => each.kind)}::text[],
        ${touched.map((each) => each.about)}::inet[]) AS touched (agent_id, kind, about)
      CROSS JOIN LATERAL (
        SELECT t.id FROM bgp_transition t WHERE t.agent_id = touched.agent_id AND t.kind = touched.kind AND t.about = touched.about
        ORDER BY t.at DESC, t.id DESC OFFSET ${mostOfOne}
      ) AS surplus)`;
}
