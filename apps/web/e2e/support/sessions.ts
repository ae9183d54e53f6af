import { newId } from "@fairlead/domain";
import { query, select } from "./database.ts";
import { ensurePartitions, type Halves, insertAgent, insertSeries } from "./reports.ts";

/** Hellos per second of each replica, by kind and outcome. */
const hellos: readonly [kind: string, outcome: string, Halves][] = [
  ["psk", "home", [90, 80]],
  ["psk", "gone", [0, 5]],
  ["psk", "unknown", [0, 5]],
  ["ticket", "home", [20, 20]],
  ["ticket", "gone", [0, 0]],
  ["ticket", "unknown", [0, 0]],
  ["id", "home", [9, 9]],
  ["id", "gone", [1, 1]],
  ["id", "unknown", [0, 0]],
  ["new", "", [30, 30]],
  ["unreadable", "", [2, 2]],
];

/** The names of a server's ticket key, and of the one before. */
export const keyNames = ["a1b2c3d4e5f60718293a4b5c6d7e8f90", "0f1e2d3c4b5a69788796a5b4c3d2e1f0"] as const;

/** problem: why a server takes no connections; null without an agent on its node. */
type Server = { kind: string; names: readonly string[]; problem: string | null; accepted: Halves };

const servers: readonly Server[] = [
  { kind: "stable", names: keyNames, problem: "", accepted: [90, 110] },
  {
    kind: "random",
    names: [],
    accepted: [60, 0],
    problem: "The server on port 443 listens with MPTCP: set GODEBUG=multipathtcp=0 and restart it.",
  },
  { kind: "unknown", names: [], problem: null, accepted: [0, 0] },
];

const replicaProblems = ["", "The engine xdp can't place connections by TLS session."];

/**
 * insertSessions stores what two replicas, and agents next to two of three servers, report about an exposure with the
 * strategy session. They keep reporting, as far as pages can see. The exposure has to be paused, so that the control plane
 * leaves its load balancer as it is.
 */
export async function insertSessions(exposureId: string): Promise<void> {
  const [balancer] = await select<{ id: string }>("SELECT id FROM load_balancer WHERE exposure_id = $1", [exposureId]);
  if (!balancer) throw new Error("The exposure has no load balancer yet.");
  await query("DELETE FROM replica WHERE load_balancer_id = $1", [balancer.id]);
  await query(
    `INSERT INTO session_key (cluster_id, epoch, sealed, created_at)
     SELECT cluster_id, 12, '', now() - interval '3 hours' FROM exposure WHERE id = $1`,
    [exposureId],
  );
  await ensurePartitions();
  for (const ordinal of replicaProblems.keys()) await insertReplica(exposureId, balancer.id, ordinal);
  for (const [index, server] of servers.entries()) await insertServer(exposureId, balancer.id, index, server);
}

/** removeSessions deletes the exposure with all of it, without waiting for agents that don't exist. */
export async function removeSessions(exposureId: string, clusterId: string): Promise<void> {
  await query("DELETE FROM exposure WHERE id = $1", [exposureId]);
  await query("DELETE FROM instance WHERE cluster_id = $1", [clusterId]);
  await query("DELETE FROM node WHERE cluster_id = $1", [clusterId]);
}

async function insertReplica(exposureId: string, balancerId: string, ordinal: number): Promise<void> {
  const id = newId("replica");
  const agentId = await insertAgent(exposureId, `lb-${ordinal + 1}`, "balancer");
  await query(
    `INSERT INTO replica (id, load_balancer_id, node_id, agent_id, ordinal)
     SELECT $1, $2, node_id, id, $4::int FROM agent WHERE id = $3`,
    [id, balancerId, agentId, String(ordinal)],
  );
  await query(
    `INSERT INTO replica_session (replica_id, problem, fallback, observed_at)
     VALUES ($1, $2, CASE WHEN $2 = '' THEN '' ELSE 'proxy' END, now() + interval '5 minutes')`,
    [id, replicaProblems[ordinal] ?? ""],
  );
  for (const [kind, outcome, halves] of hellos)
    await insertSeries(balancerId, "sessionHellosPerSecond", { agent: agentId, kind, outcome }, halves);
  await insertSeries(balancerId, "sessionSynsPerSecond", { agent: agentId }, [152, 420]);
  await insertSeries(balancerId, "sessionQuestionsPerSecond", { agent: agentId }, [0, 3]);
  await insertSeries(balancerId, "sessionIdSearchesPerSecond", { agent: agentId, outcome: "found" }, [0, 2]);
  await insertSeries(balancerId, "sessionHeldHellos", { agent: agentId }, [1, 4]);
}

async function insertServer(exposureId: string, balancerId: string, index: number, server: Server): Promise<void> {
  const { kind, names, problem, accepted } = server;
  const [id, name, node] = [newId("backend"), `shop-${index}`, `node-${index + 1}`];
  const address = `10.8.0.${index + 1}`;
  await query(
    `INSERT INTO instance (id, organization_id, cluster_id, name, workload, node_name, addresses, ready, source, changed_at)
     SELECT $1, organization_id, cluster_id, $2, 'shop', $3, ARRAY[$4::inet], true, 'e2e', now() FROM exposure WHERE id = $5`,
    [newId("instance"), name, node, address, exposureId],
  );
  await query(
    `INSERT INTO backend (id, load_balancer_id, instance, protocol, address, port, state, health, observed_at)
     VALUES ($1, $2, $3, 'tcp', $4::inet, 443, 'active', 'up', now())`,
    [id, balancerId, name, address],
  );
  await query("INSERT INTO session_number (exposure_id, instance, number) VALUES ($1, $2, $3::int)", [
    exposureId,
    name,
    String(index + 1),
  ]);
  await query(
    `INSERT INTO backend_session (backend_id, replica_id, takes, kind, names, observed_at)
     SELECT $1, id, $3::boolean, $4, $5::jsonb, now() + interval '5 minutes' FROM replica WHERE load_balancer_id = $2 AND ordinal = 0`,
    [id, balancerId, String(problem === ""), kind, JSON.stringify(names.map(nameOfAge))],
  );
  if (problem === null) return;
  const agentId = await insertAgent(exposureId, node, "backend");
  await query(
    `INSERT INTO backend_server_status (backend_id, agent_id, ready, message, observed_at)
     VALUES ($1, $2, $3::boolean, $4, now())`,
    [id, agentId, String(problem === ""), problem],
  );
  await insertSeries(id, "sessionAcceptedPerSecond", { agent: agentId }, accepted);
}

function nameOfAge(name: string, age: number): object {
  const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000);
  return { name, since: ago(24 * age + 2), seen: ago(2 * age) };
}
