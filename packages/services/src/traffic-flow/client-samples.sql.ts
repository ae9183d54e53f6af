import { type Db, Prisma, type Tx } from "@fairlead/db";
import type { ClientSample } from "@fairlead/domain/traffic-flow";

/** Per picture. */
const mostSamples = 2_000;
/** Older ones are from an agent that no longer reports. */
const keptMs = 180_000;

/** selectSamples returns what the replicas of one exposure, or of all, sampled of their clients. */
export function selectSamples(
  tx: Tx,
  organizationId: string,
  exposureId: string | undefined,
  now: Date,
): Promise<ClientSample[]> {
  const ofExposure = exposureId === undefined ? Prisma.sql`true` : Prisma.sql`l.exposure_id = ${exposureId}`;
  return tx.$queryRaw<ClientSample[]>`
    SELECT a.node_id AS "nodeId", n.name AS "nodeName", c.problem, c.networks, c.other_bps AS "otherBps"
    FROM client_sample c JOIN replica r ON r.id = c.replica_id AND r.agent_id = c.agent_id
      JOIN load_balancer l ON l.id = r.load_balancer_id JOIN exposure_in_effect_view e ON e.id = l.exposure_id
      JOIN agent a ON a.id = r.agent_id JOIN node n ON n.id = a.node_id
    WHERE l.organization_id = ${organizationId} AND ${ofExposure} AND c.sampled_at > ${new Date(now.getTime() - keptMs)}
      AND (e.parameters ->> 'sampleClients')::boolean
    ORDER BY c.replica_id LIMIT ${mostSamples}`;
}

/** deleteSamples deletes those of an exposure that no longer samples its clients. */
export async function deleteSamples(tx: Tx, exposureId: string): Promise<void> {
  await tx.clientSample.deleteMany({ where: { replica: { loadBalancer: { exposureId } } } });
}

/** sweepSamples deletes those of agents that no longer report, and any that arrived as sampling was switched off. */
export async function sweepSamples(db: Db, now: Date): Promise<number> {
  const { count } = await db.clientSample.deleteMany({
    where: { sampledAt: { lt: new Date(now.getTime() - keptMs) } },
  });
  return count;
}
