import { newId } from "@fairlead/domain";
import { query, select } from "./database.ts";
import { ensurePartitions, insertAgent, insertSeries } from "./reports.ts";

/** What agents report of their nodes. The third is next to instances, but its figures don't arrive. */
const entries = [
  { name: "node-1", cores: 4, throttled: 0, refused: 0, shares: [0.75, 0.25, 0], problem: "" },
  { name: "node-2", cores: 2, throttled: 0.125, refused: 3, shares: [0, 0.9, 0.1], problem: "" },
  { name: "node-3", cores: 2, throttled: 0, refused: 0, shares: [0, 0, 0], problem: "Another program uses the hooks." },
] as const;

const service = { port: 80, protocol: "tcp", connectionsPerSecond: 40, requestsPerSecond: 40 };
const inFlight = [2.5, 7.25, null] as const;
const roundTripMs = 0.42;

/**
 * insertAdaptive stores what agents on three nodes report about an exposure with the strategy adaptive, next to a fourth node
 * with an instance and without an agent. They keep reporting, as far as pages can see. The exposure has to be paused, so that the
 * control plane leaves its load balancer as it is.
 */
export async function insertAdaptive(exposureId: string): Promise<void> {
  const [balancer] = await select<{ id: string }>("SELECT id FROM load_balancer WHERE exposure_id = $1", [exposureId]);
  if (!balancer) throw new Error("The exposure has no load balancer yet.");
  await query("DELETE FROM replica WHERE load_balancer_id = $1", [balancer.id]);
  await ensurePartitions();
  const agentIds: string[] = [];
  for (const { name } of entries) agentIds.push(await insertAgent(exposureId, name, "adaptive"));
  const nodeIds: string[] = [];
  for (const agentId of agentIds) {
    const [row] = await select<{ node_id: string }>("SELECT node_id FROM agent WHERE id = $1", [agentId]);
    nodeIds.push(row?.node_id ?? "");
  }
  for (const ordinal of entries.keys()) await insertEntry(balancer.id, agentIds[ordinal] ?? "", nodeIds, ordinal);
  await query(
    `INSERT INTO instance (id, organization_id, cluster_id, name, workload, node_name, addresses, ready, source, changed_at)
     SELECT $1, organization_id, cluster_id, 'shop-4', 'shop', 'node-4', ARRAY['10.8.0.4'::inet], true, 'e2e', now() FROM exposure WHERE id = $2`,
    [newId("instance"), exposureId],
  );
}

async function insertEntry(balancerId: string, agentId: string, nodeIds: string[], ordinal: number): Promise<void> {
  const entry = entries[ordinal];
  if (!entry) throw new Error(`There is no entry ${ordinal}.`);
  const replicaId = newId("replica");
  const [own = ""] = nodeIds.slice(ordinal);
  await query(
    `INSERT INTO replica (id, load_balancer_id, node_id, agent_id, role, ordinal) VALUES ($1, $2, $3, $4, 'adaptive', $5::int)`,
    [replicaId, balancerId, own, agentId, String(ordinal)],
  );
  await query(
    `INSERT INTO replica_status (replica_id, node_id, ready, message, observed_at)
     VALUES ($1, $2, $3::boolean, $4, now() + interval '5 minutes')`,
    [replicaId, own, String(entry.problem === ""), entry.problem],
  );
  const peers = nodeIds.flatMap((nodeId, index) =>
    index === ordinal ? [] : [{ nodeId, isExchanging: index !== 2, roundTripMs: index === 2 ? null : roundTripMs }],
  );
  await query(
    `INSERT INTO adaptive_status (agent_id, cores, throttled_ratio, peers, observed_at)
     VALUES ($1, $2::float8, $3::float8, $4::jsonb, now() + interval '5 minutes')`,
    [agentId, String(entry.cores), String(entry.throttled), JSON.stringify(peers)],
  );
  const routes = nodeIds.map((nodeId, index) => {
    const isKnown = index !== 2;
    const figures = isKnown
      ? { inFlight: inFlight[index], requestsPerSecond: 120, serviceMs: 5, cores: 2, costMs: 6 }
      : { inFlight: null, requestsPerSecond: null, serviceMs: null, cores: null, costMs: null };
    const outside = ordinal === 0 ? { entered: 12, enteredOpen: 2 } : {};
    return {
      nodeId,
      backends: 1,
      open: 4,
      chosen: 40,
      failures: 0,
      ...outside,
      share: entry.shares[index],
      byWeight: !isKnown,
      ...figures,
    };
  });
  await query(
    `INSERT INTO adaptive_replica (replica_id, services, observed_at) VALUES ($1, $2::jsonb, now() + interval '5 minutes')`,
    [replicaId, JSON.stringify([{ ...service, refused: entry.refused, nodes: routes }])],
  );
  if (ordinal === 0) await insertDecisions(replicaId, nodeIds);
  if (ordinal !== 2) await insertAllSeries(balancerId, agentId, entry.shares[ordinal] ?? 0);
}

async function insertAllSeries(balancerId: string, agentId: string, local: number): Promise<void> {
  const of = { agent: agentId };
  await insertSeries(balancerId, "localShareRatio", of, [1, local]);
  await insertSeries(balancerId, "sentToOtherNodesPerSecond", of, [0, 40 * (1 - local)]);
  await insertSeries(balancerId, "roundTripsMsPerSecond", of, [roundTripMs, roundTripMs]);
  await insertSeries(balancerId, "evenRoundTripsMsPerSecond", of, [4 * roundTripMs, 4 * roundTripMs]);
}

/** Twelve of a node: the newest by weight, the others by cost. */
async function insertDecisions(replicaId: string, nodeIds: string[]): Promise<void> {
  const [first = "", second = "", third = ""] = nodeIds;
  for (let place = 0; place < 12; place += 1) {
    const candidates = [
      { nodeId: second, beside: 3.5, costMs: 6.25 },
      { nodeId: first, beside: 8, costMs: 9.5 },
      ...(place === 0 ? [{ nodeId: third, beside: 0, costMs: null }] : []),
    ];
    await query(
      `INSERT INTO adaptive_decision (replica_id, at, backend_id, node_id, by_weight, candidates)
       VALUES ($1, now() - $2::float8 * interval '1 second', $3, $4, $5::boolean, $6::jsonb)`,
      [
        replicaId,
        String(60 + place),
        newId("backend"),
        place === 0 ? third : second,
        String(place === 0),
        JSON.stringify(candidates),
      ],
    );
  }
}
