import { type Db, inTransaction } from "@fairlead/db";
import { sampleWindow } from "@fairlead/domain/series";
import { inBatches } from "../control/in-batches.ts";

/**
 * endSeries ends the series of agents that are removed, or that lost their replica so long ago that no report about it can
 * arrive any more, and returns how many. A trigger ends those of a removed agent at once; a report that was just being
 * stored may add one after that.
 */
export async function endSeries(db: Db, now: Date): Promise<number> {
  const ended = await inBatches(
    (most) => db.$executeRaw`
      UPDATE series SET ended_at = ${now} WHERE id IN (
        SELECT s.id FROM series s
        WHERE s.agent_id IS NOT NULL AND s.ended_at IS NULL
          AND NOT EXISTS (SELECT 1 FROM agent a WHERE a.id = s.agent_id AND a.revoked_at IS NULL)
        LIMIT ${most} FOR UPDATE SKIP LOCKED)`,
  );
  return ended + (await endFormer(db, new Date(now.getTime() - sampleWindow.pastMs - sampleWindow.futureMs)));
}

/**
 * endFormer deletes the records of former replicas from before a time, and ends their series. A replica that returns
 * meanwhile waits for the locks on these records, and then continues its series: see the trigger of the table replica.
 */
async function endFormer(db: Db, before: Date): Promise<number> {
  let total = 0;
  await inBatches((most) =>
    inTransaction(db, async (tx) => {
      const former = await tx.$queryRaw<{ agentId: string; loadBalancerId: string; endedAt: Date }[]>`
        DELETE FROM former_replica f USING (
          SELECT agent_id, load_balancer_id FROM former_replica WHERE ended_at < ${before}
          LIMIT ${most} FOR UPDATE SKIP LOCKED
        ) old WHERE (f.agent_id, f.load_balancer_id) = (old.agent_id, old.load_balancer_id)
        RETURNING f.agent_id AS "agentId", f.load_balancer_id AS "loadBalancerId", f.ended_at AS "endedAt"`;
      total += await tx.$executeRaw`
        UPDATE series SET ended_at = ended.at FROM (
          SELECT s.id, f.ended_at + ${sampleWindow.futureMs} * interval '1 ms' AS at
          FROM unnest(${former.map((each) => each.agentId)}::text[], ${former.map((each) => each.loadBalancerId)}::text[],
            ${former.map((each) => each.endedAt)}::timestamptz[]) AS f (agent_id, load_balancer_id, ended_at)
          JOIN series s ON s.agent_id = f.agent_id AND s.ended_at IS NULL AND (s.subject_id = f.load_balancer_id
            OR s.subject_id IN (SELECT b.id FROM backend b WHERE b.load_balancer_id = f.load_balancer_id))
          WHERE NOT EXISTS (
            SELECT 1 FROM replica r WHERE r.agent_id = f.agent_id AND r.load_balancer_id = f.load_balancer_id)
          FOR UPDATE OF s SKIP LOCKED
        ) ended WHERE series.id = ended.id`;
      return former.length;
    }),
  );
  return total;
}
