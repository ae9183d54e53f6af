import { Prisma, type Tx } from "@fairlead/db";
import type { EchoPeer } from "@fairlead/domain/node";

/** Without revoked agents: their rows stay until another agent of the node replaces them. */
const inUse = Prisma.sql`JOIN agent a ON a.id = e.agent_id AND a.revoked_at IS NULL AND 'node' = ANY(a.roles)`;

/**
 * After this silence a node leaves its place in the ring to another one. Later than an agent counts as silent, so that a restart
 * of the agent or of the host changes no configs.
 */
const leavesRingAfterMs = 10 * 60_000;

/** Without nodes that are down: they would reply to no datagram. */
const answering = Prisma.sql`JOIN node_status s ON s.agent_id = a.id
  AND s.last_report_at > clock_timestamp() - ${leavesRingAfterMs} * interval '1 millisecond'`;

/** EchoWrite is what an agent reports; an empty address: it returns no datagrams. */
export type EchoWrite = { agentId: string; nodeId: string; clusterId: string; address: string };

/**
 * findMoved returns those that differ from what is stored. Of several agents of a node, the newest one counts, unless it is
 * revoked.
 */
export async function findMoved(tx: Tx, reported: readonly EchoWrite[]): Promise<EchoWrite[]> {
  if (reported.length === 0) return [];
  const stored = await tx.$queryRaw<EchoWrite[]>`
    SELECT e.node_id AS "nodeId", e.agent_id AS "agentId", e.cluster_id AS "clusterId", e.address FROM node_echo e ${inUse}
    WHERE e.node_id = ANY(${reported.map((each) => each.nodeId)}::text[])`;
  const known = new Map(stored.map((each) => [each.nodeId, each]));
  const moved = new Map<string, EchoWrite>();
  for (const each of [...reported].sort((a, b) => (a.agentId < b.agentId ? -1 : 1))) {
    const before = known.get(each.nodeId);
    if (before ? isNews(before, each) : each.address !== "") moved.set(each.nodeId, each);
  }
  return [...moved.values()].sort((a, b) => (a.nodeId < b.nodeId ? -1 : 1));
}

function isNews(before: EchoWrite, { agentId, address }: EchoWrite): boolean {
  if (agentId === before.agentId) return address !== before.address;
  return agentId > before.agentId && address !== "";
}

/** writeEchoes stores what findMoved returned. */
export async function writeEchoes(tx: Tx, moved: readonly EchoWrite[]): Promise<void> {
  const gone = moved.filter((each) => each.address === "").map((each) => each.agentId);
  if (gone.length > 0) await tx.$executeRaw`DELETE FROM node_echo WHERE agent_id = ANY(${gone}::text[])`;
  const writes = moved.filter((each) => each.address !== "");
  if (writes.length === 0) return;
  const of = (pick: (write: EchoWrite) => string) => writes.map(pick);
  // The end of an id is random, so neighbours in the ring are a fair sample of racks and zones.
  await tx.$executeRaw`
    INSERT INTO node_echo (node_id, agent_id, cluster_id, ring, address)
    SELECT node_id, agent_id, cluster_id, reverse(node_id), address
    FROM unnest(${of((w) => w.nodeId)}::text[], ${of((w) => w.agentId)}::text[], ${of((w) => w.clusterId)}::text[],
      ${of((w) => w.address)}::text[]) AS reported (node_id, agent_id, cluster_id, address)
    ON CONFLICT (node_id) DO UPDATE SET agent_id = excluded.agent_id, cluster_id = excluded.cluster_id, address = excluded.address`;
}

/** selectEchoPeers returns the neighbours of a node whose agent returns datagrams: another one can't send any. */
export async function selectEchoPeers(tx: Tx, node: { nodeId: string; clusterId: string }): Promise<EchoPeer[]> {
  const [own] = await tx.$queryRaw<unknown[]>`SELECT 1 FROM node_echo e ${inUse} WHERE e.node_id = ${node.nodeId}`;
  return own ? selectNeighbours(tx, node) : [];
}

/** On each side of the ring. So up to 33 nodes of a cluster measure all others, and of more, each measures 32. */
const neighboursPerSide = 16;

/**
 * selectNeighbours returns the nodes that a node measures round trips to, which are also those that measure it: an agent
 * replies only to its own peers.
 */
export async function selectNeighbours(tx: Tx, node: { nodeId: string; clusterId: string }): Promise<EchoPeer[]> {
  const after = await selectSide(tx, node, Prisma.sql`>`, Prisma.sql`ASC`);
  const before = await selectSide(tx, node, Prisma.sql`<`, Prisma.sql`DESC`);
  const all = new Map([...after, ...before].map((each) => [each.nodeId, each]));
  return [...all.values()].sort((a, b) => (a.agentId < b.agentId ? -1 : 1));
}

/** One direction of the ring, continued at its other end. */
async function selectSide(
  tx: Tx,
  { nodeId, clusterId }: { nodeId: string; clusterId: string },
  beyond: Prisma.Sql,
  order: Prisma.Sql,
): Promise<EchoPeer[]> {
  const limit = Prisma.sql`LIMIT ${neighboursPerSide}`;
  const part = (isWrapped: boolean) => Prisma.sql`
    (SELECT ${isWrapped ? 1 : 0} AS lap, e.node_id, e.agent_id, e.address, e.ring FROM node_echo e ${inUse} ${answering}
      WHERE e.cluster_id = ${clusterId} AND ${isWrapped ? Prisma.sql`NOT e.ring` : Prisma.sql`e.ring`} ${beyond} reverse(${nodeId}::text)
        AND e.node_id <> ${nodeId} ORDER BY e.ring ${order} ${limit})`;
  return tx.$queryRaw<EchoPeer[]>`
    SELECT node_id AS "nodeId", agent_id AS "agentId", address FROM (${part(false)} UNION ALL ${part(true)}) AS side
    ORDER BY lap, ring ${order} ${limit}`;
}
