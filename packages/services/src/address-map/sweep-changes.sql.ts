import type { Db } from "@fairlead/db";
import { inBatches } from "../control/in-batches.ts";

/** As long as events are kept. */
export const mappingChangeRetentionMs = 90 * 24 * 3_600_000;
/** Per exposure: an instance that flaps all day must not fill the table. */
export const mostMappingChanges = 20_000;

type Oldest = { exposureId: string; at: Date; id: string };

/** sweepMappingChanges deletes old changes, and those over the limit of an exposure, and returns how many. */
export async function sweepMappingChanges(db: Db, now: Date): Promise<number> {
  const before = new Date(now.getTime() - mappingChangeRetentionMs);
  let dropped = 0;
  for (const { exposureId, at, id } of await selectOldest(db, before))
    dropped += await inBatches(
      (most) => db.$executeRaw`
        DELETE FROM address_mapping_change WHERE id = ANY(ARRAY(
          SELECT id FROM address_mapping_change WHERE exposure_id = ${exposureId} AND (at, id) < (${at}, ${id}) LIMIT ${most}))`,
    );
  return dropped;
}

/** The oldest change that each exposure keeps; only of exposures that have an older one. */
function selectOldest(db: Db, before: Date): Promise<Oldest[]> {
  return db.$queryRaw<Oldest[]>`
    SELECT e.id AS "exposureId", coalesce(kept.at, ${before}) AS at, coalesce(kept.id, '') AS id
    FROM exposure e LEFT JOIN LATERAL (
      SELECT h.at, h.id FROM address_mapping_change h WHERE h.exposure_id = e.id
      ORDER BY h.at DESC, h.id DESC OFFSET ${mostMappingChanges - 1} LIMIT 1
    ) AS kept ON kept.at >= ${before}
    WHERE EXISTS (
      SELECT 1 FROM address_mapping_change h
      WHERE h.exposure_id = e.id AND (h.at, h.id) < (coalesce(kept.at, ${before}), coalesce(kept.id, ''))
    )
    ORDER BY e.id`;
}
