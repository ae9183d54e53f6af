import { newId } from "@fairlead/domain";
import type { APIRequestContext } from "@playwright/test";
import { query } from "./database.ts";
import { first } from "./rest.ts";

const everyMs = 60_000;
const changes = 12;

/** insertExperiment stores a finished experiment of two replicas in a cluster, as if it had run in the last minutes. */
export async function insertExperiment(request: APIRequestContext, cluster?: { id: string }): Promise<string> {
  const { id: clusterId } = cluster ?? (await first(request, "clusters", "search=local"));
  const id = newId("experiment");
  const agents = [newId("agent"), newId("agent")];
  const replicas = agents.map((agentId, i) => ({
    ...{ agentId, nodeId: newId("node"), nodeName: `lb-${i + 1}` },
    hops: { "192.0.2.1/32": `10.0.0.${i + 1}` },
  }));
  const endedAt = Date.now();
  const startedAt = endedAt - changes * everyMs;
  const at = (ms: number) => new Date(ms).toISOString();
  await query(
    `INSERT INTO experiment (id, organization_id, cluster_id, change_every_seconds, duration_seconds, fewest_replicas, seed,
       replicas, state, started_by, started_at, ended_at, change_count, settled_count, slowest_ms, broken_connections)
     SELECT $1, organization_id, id, 60, 720, 1, 7, $3, 'finished', 'Ada', $4, $5, ${changes}, ${changes}, 1650, 0
     FROM cluster WHERE id = $2`,
    [id, clusterId, JSON.stringify(replicas), at(startedAt), at(endedAt)],
  );
  for (let number = 0; number < changes; number++) {
    const requested = startedAt + number * everyMs;
    const settled = requested + 400 + 150 * (number % 9);
    const serving = number % 2 === 0 ? agents : agents.slice(0, 1);
    for (const [kind, ms, count, settledAt] of [
      ["requested", requested, String(number), at(settled)],
      ["observed", settled, "", ""],
    ] as const)
      await query(
        `INSERT INTO experiment_step (id, organization_id, experiment_id, kind, at, replicas, number, settled_at)
         SELECT $1, organization_id, id, $3, $4, $5, nullif($6, '')::int, nullif($7, '')::timestamptz
         FROM experiment WHERE id = $2`,
        [newId("experimentStep"), id, kind, at(ms), `{${serving.join(",")}}`, count, settledAt],
      );
  }
  return id;
}
