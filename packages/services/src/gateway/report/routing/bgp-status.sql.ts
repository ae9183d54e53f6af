import { Prisma, type Tx } from "@fairlead/db";
import type { AgentIdentity } from "../../identity/identities.sql.ts";
import type { BgpReport } from "./bgp-report.ts";

export type BgpWrite = { agent: AgentIdentity; bgp: BgpReport };

/** selectMoved returns the nodes of agents that report another address than before, or are new. */
export async function selectMoved(tx: Tx, written: readonly BgpWrite[]): Promise<string[]> {
  if (written.length === 0) return [];
  const before = await tx.bgpStatus.findMany({
    where: { agentId: { in: agentsOf(written) } },
    select: { agentId: true, address: true },
  });
  const known = new Map(before.map((each) => [each.agentId, each.address]));
  return written.filter(({ agent, bgp }) => known.get(agent.agentId) !== bgp.address).map(({ agent }) => agent.nodeId);
}

/**
 * writeBgp replaces the stored BGP state of agents: what is no longer reported is deleted. It returns the agents whose
 * state differs.
 */
export async function writeBgp(tx: Tx, written: readonly BgpWrite[], now: Date): Promise<Set<string>> {
  if (written.length === 0) return new Set();
  const sorted = [...written].sort((a, b) => (a.agent.agentId < b.agent.agentId ? -1 : 1));
  await writeStatuses(tx, sorted, now);
  const differ = new Set<string>();
  for (const write of [writeSessions, writeAnnouncements, writeRoutes])
    for (const agentId of await write(tx, sorted, now)) differ.add(agentId);
  return differ;
}

type Changed = { agentId: string };
const ids = (rows: Changed[]): string[] => rows.map((each) => each.agentId);
const agentsOf = (written: readonly BgpWrite[]): string[] => written.map((each) => each.agent.agentId);

async function writeStatuses(tx: Tx, written: readonly BgpWrite[], now: Date): Promise<void> {
  const of = <T>(pick: (bgp: BgpReport) => T) => written.map(({ bgp }) => pick(bgp));
  await tx.$executeRaw`
    INSERT INTO bgp_status (agent_id, address, asn, router_id, routes_left_out, messages, observed_at)
    SELECT reported.*, ${now}::timestamptz FROM unnest(
      ${agentsOf(written)}::text[], ${of((b) => b.address)}::text[], ${of((b) => b.asn)}::bigint[],
      ${of((b) => b.routerId)}::text[], ${of((b) => b.routesLeftOut)}::bigint[], ${of(messagesOf)}::jsonb[]) AS reported
    ON CONFLICT (agent_id) DO UPDATE SET address = excluded.address, asn = excluded.asn, router_id = excluded.router_id,
      routes_left_out = excluded.routes_left_out, messages = excluded.messages, observed_at = excluded.observed_at`;
}

/** Message counts grow with every report, which is no change: they are written along with the rest. */
function messagesOf({ sessions }: BgpReport): string {
  const counted = sessions.filter(({ messagesIn, messagesOut }) => messagesIn + messagesOut > 0);
  return JSON.stringify(
    Object.fromEntries(counted.map((each) => [each.peerAddress, [each.messagesIn, each.messagesOut]])),
  );
}

/** Every row of the agents' reports, with its agent. */
function spread<Item>(written: readonly BgpWrite[], itemsOf: (bgp: BgpReport) => Item[]) {
  return written.flatMap(({ agent, bgp }) => itemsOf(bgp).map((item) => ({ agent, bgp, item })));
}

async function forget(tx: Tx, table: string, key: string, written: readonly BgpWrite[], rows: [string, string][]) {
  const [from, column] = [Prisma.raw(`"${table}"`), Prisma.raw(`"${key}"`)];
  return ids(
    await tx.$queryRaw<Changed[]>`
      DELETE FROM ${from} kept WHERE kept.agent_id = ANY(${agentsOf(written)}::text[]) AND NOT EXISTS (
        SELECT FROM unnest(${rows.map(([agentId]) => agentId)}::text[], ${rows.map(([, value]) => value)}::inet[]) AS reported (agent_id, value)
        WHERE reported.agent_id = kept.agent_id AND reported.value = kept.${column})
      RETURNING kept.agent_id AS "agentId"`,
  );
}

async function writeSessions(tx: Tx, written: readonly BgpWrite[], now: Date): Promise<string[]> {
  const rows = spread(written, (bgp) => bgp.sessions);
  const gone = await forget(
    tx,
    "bgp_session",
    "peer_address",
    written,
    rows.map(({ agent, item }) => [agent.agentId, item.peerAddress]),
  );
  if (rows.length === 0) return gone;
  const of = <T>(pick: (row: (typeof rows)[number]) => T) => rows.map(pick);
  const changed = await tx.$queryRaw<Changed[]>`
    INSERT INTO bgp_session AS kept (id, organization_id, cluster_id, agent_id, peer_address, peer_asn, local_asn, peer_router_id,
      state, state_since, last_error, hold_seconds, routes_received, routes_accepted, routes_advertised, established_count, detection, is_full,
      keepalive_seconds, detect_interval_ms, detect_multiplier, observed_at)
    SELECT 'bgp_' || replace(gen_random_uuid()::text, '-', ''), reported.*, ${now}::timestamptz FROM unnest(
      ${of(({ agent }) => agent.organizationId)}::text[], ${of(({ agent }) => agent.clusterId)}::text[],
      ${of(({ agent }) => agent.agentId)}::text[], ${of(({ item }) => item.peerAddress)}::inet[],
      ${of(({ item }) => item.peerAsn)}::bigint[], ${of(({ bgp }) => bgp.asn)}::bigint[],
      ${of(({ item }) => item.peerRouterId)}::text[], ${of(({ item }) => item.state)}::text[],
      ${of(({ item }) => item.stateSince)}::timestamptz[], ${of(({ item }) => item.lastError)}::text[],
      ${of(({ item }) => item.holdSeconds)}::int[], ${of(({ item }) => item.routesReceived)}::bigint[],
      ${of(({ item }) => item.routesAccepted)}::bigint[], ${of(({ item }) => item.routesAdvertised)}::bigint[],
      ${of(({ item }) => item.establishedCount)}::bigint[], ${of(({ item }) => item.detection)}::text[],
      ${of(({ item }) => item.isFull)}::boolean[], ${of(({ item }) => item.keepaliveSeconds)}::int[],
      ${of(({ item }) => item.detectIntervalMs)}::int[], ${of(({ item }) => item.detectMultiplier)}::int[]) AS reported
    ON CONFLICT (agent_id, peer_address) DO UPDATE SET peer_asn = excluded.peer_asn, local_asn = excluded.local_asn,
      peer_router_id = excluded.peer_router_id, state = excluded.state, state_since = excluded.state_since,
      last_error = excluded.last_error, hold_seconds = excluded.hold_seconds, routes_received = excluded.routes_received,
      routes_accepted = excluded.routes_accepted, routes_advertised = excluded.routes_advertised, established_count = excluded.established_count,
      detection = excluded.detection, is_full = excluded.is_full, keepalive_seconds = excluded.keepalive_seconds,
      detect_interval_ms = excluded.detect_interval_ms, detect_multiplier = excluded.detect_multiplier, observed_at = excluded.observed_at
    WHERE (kept.peer_asn, kept.local_asn, kept.peer_router_id, kept.state, kept.state_since, kept.last_error, kept.hold_seconds,
        kept.routes_received, kept.routes_accepted, kept.routes_advertised, kept.established_count, kept.detection, kept.is_full,
        kept.keepalive_seconds, kept.detect_interval_ms, kept.detect_multiplier)
      IS DISTINCT FROM (excluded.peer_asn, excluded.local_asn, excluded.peer_router_id, excluded.state, excluded.state_since,
        excluded.last_error, excluded.hold_seconds, excluded.routes_received, excluded.routes_accepted, excluded.routes_advertised,
        excluded.established_count, excluded.detection, excluded.is_full, excluded.keepalive_seconds, excluded.detect_interval_ms,
        excluded.detect_multiplier)
    RETURNING kept.agent_id AS "agentId"`;
  return [...gone, ...ids(changed)];
}

async function writeAnnouncements(tx: Tx, written: readonly BgpWrite[], now: Date): Promise<string[]> {
  const rows = spread(written, (bgp) => bgp.announcements);
  const gone = await forget(
    tx,
    "announcement",
    "prefix",
    written,
    rows.map(({ agent, item }) => [agent.agentId, item.prefix]),
  );
  if (rows.length === 0) return gone;
  const of = <T>(pick: (row: (typeof rows)[number]) => T) => rows.map(pick);
  const changed = await tx.$queryRaw<Changed[]>`
    INSERT INTO announcement AS kept (id, organization_id, cluster_id, agent_id, prefix, next_hop, load_balancer_id, state,
      state_since, reason, observed_at)
    SELECT 'ann_' || replace(gen_random_uuid()::text, '-', ''), reported.*, ${now}::timestamptz FROM unnest(
      ${of(({ agent }) => agent.organizationId)}::text[], ${of(({ agent }) => agent.clusterId)}::text[],
      ${of(({ agent }) => agent.agentId)}::text[], ${of(({ item }) => item.prefix)}::inet[],
      ${of(({ item }) => item.nextHop)}::inet[], ${of(({ item }) => item.loadBalancerId)}::text[],
      ${of(({ item }) => item.state)}::text[], ${of(({ item }) => item.stateSince)}::timestamptz[],
      ${of(({ item }) => item.reason)}::text[]) AS reported
    ON CONFLICT (agent_id, prefix) DO UPDATE SET next_hop = excluded.next_hop, load_balancer_id = excluded.load_balancer_id,
      state = excluded.state, state_since = excluded.state_since, reason = excluded.reason, observed_at = excluded.observed_at
    WHERE (kept.next_hop, kept.load_balancer_id, kept.state, kept.state_since, kept.reason)
      IS DISTINCT FROM (excluded.next_hop, excluded.load_balancer_id, excluded.state, excluded.state_since, excluded.reason)
    RETURNING kept.agent_id AS "agentId"`;
  return [...gone, ...ids(changed)];
}

async function writeRoutes(tx: Tx, written: readonly BgpWrite[], now: Date): Promise<string[]> {
  const rows = spread(written, (bgp) => bgp.routes);
  const gone = await forget(
    tx,
    "route",
    "prefix",
    written,
    rows.map(({ agent, item }) => [agent.agentId, item.prefix]),
  );
  if (rows.length === 0) return gone;
  const of = <T>(pick: (row: (typeof rows)[number]) => T) => rows.map(pick);
  const changed = await tx.$queryRaw<Changed[]>`
    INSERT INTO route AS kept (id, organization_id, cluster_id, agent_id, prefix, since, changed_at, next_hops, observed_at)
    SELECT 'rte_' || replace(gen_random_uuid()::text, '-', ''), reported.*, ${now}::timestamptz FROM unnest(
      ${of(({ agent }) => agent.organizationId)}::text[], ${of(({ agent }) => agent.clusterId)}::text[],
      ${of(({ agent }) => agent.agentId)}::text[], ${of(({ item }) => item.prefix)}::inet[],
      ${of(({ item }) => item.since)}::timestamptz[], ${of(({ item }) => item.changedAt)}::timestamptz[],
      ${of(({ item }) => JSON.stringify(item.nextHops))}::jsonb[]) AS reported
    ON CONFLICT (agent_id, prefix) DO UPDATE SET since = excluded.since, changed_at = excluded.changed_at,
      next_hops = excluded.next_hops, observed_at = excluded.observed_at
    WHERE (kept.since, kept.changed_at, kept.next_hops) IS DISTINCT FROM (excluded.since, excluded.changed_at, excluded.next_hops)
    RETURNING kept.agent_id AS "agentId"`;
  return [...gone, ...ids(changed)];
}
