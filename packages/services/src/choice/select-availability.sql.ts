import type { Tx } from "@fairlead/db";
import { type ConditionReason, flappingReason } from "@fairlead/domain/event";

export type ServedRow = { exposureId: string; clusterId: string; servedMs: number; knownMs: number };

const dayMs = 24 * 3_600_000;
export const availabilityOverMs = 30 * dayMs;

/** What the condition Ready says: whether an exposure serves at least in part. Other reasons, such as ReplicasSilent, leave that unknown. */
const up: ConditionReason[] = ["Serving", "PartlyServing", "TooManyInstances"];
const down: ConditionReason[] = ["NotServing", "Failed", "Waiting", "NoInstances", "Refused"];
const withFlapping = (reasons: ConditionReason[]) => reasons.flatMap((reason) => [reason, flappingReason(reason)]);

/**
 * selectServed returns for how long each exposure served in the last 30 days, and for how long that is known: from its first
 * such event on. The present state is that of its condition: the event of a change that flaps is held back, and old ones are deleted.
 */
export function selectServed(tx: Tx, organizationId: string, now: Date): Promise<ServedRow[]> {
  const from = new Date(now.getTime() - availabilityOverMs);
  const [isUp, isDown] = [withFlapping(up), withFlapping(down)];
  return tx.$queryRaw<ServedRow[]>`
    WITH stated AS (
      SELECT v.subject_id, v.at, v.reason = ANY(${isUp}::text[]) AS up FROM event v
      WHERE v.organization_id = ${organizationId} AND v.subject_kind = 'exposure' AND v.at > ${from} AND v.at <= ${now}
        AND v.reason = ANY(${[...isUp, ...isDown]}::text[])
      UNION ALL
      SELECT e.id, ${from}, before.reason = ANY(${isUp}::text[]) FROM exposure e CROSS JOIN LATERAL (
        SELECT v.reason FROM event v WHERE v.organization_id = ${organizationId} AND v.subject_id = e.id AND v.at <= ${from}
          AND v.reason = ANY(${[...isUp, ...isDown]}::text[]) ORDER BY v.at DESC LIMIT 1
      ) before WHERE e.organization_id = ${organizationId}
      UNION ALL
      SELECT e.id, greatest(c."changedAt", ${from}), c.reason = ANY(${isUp}::text[]) FROM exposure e JOIN exposure_status s ON s.exposure_id = e.id
      CROSS JOIN LATERAL jsonb_to_recordset(s.conditions) AS c (type text, reason text, "changedAt" timestamptz)
      WHERE e.organization_id = ${organizationId} AND c.type = 'Ready' AND c."changedAt" <= ${now} AND c.reason = ANY(${[...isUp, ...isDown]}::text[])
    ), span AS (
      SELECT subject_id, up, date_part('epoch', lead(at, 1, ${now}::timestamptz) OVER (PARTITION BY subject_id ORDER BY at) - at) * 1000 AS ms FROM stated
    )
    SELECT e.id AS "exposureId", e.cluster_id AS "clusterId", coalesce(sum(ms) FILTER (WHERE up), 0)::float8 AS "servedMs", sum(ms)::float8 AS "knownMs"
    FROM span JOIN exposure e ON e.id = span.subject_id GROUP BY 1`;
}
