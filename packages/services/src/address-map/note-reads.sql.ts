import type { Db } from "@fairlead/db";
import type { Actor } from "@fairlead/domain/access";

export type MapRead = {
  exposureId: string;
  hour: Date;
  actorKind: Actor["kind"];
  actorId: string;
  actorName: string;
  address: string;
  format: string;
  count: number;
  firstAt: Date;
  lastAt: Date;
};

/** writeReads adds reads to their hour. Those of an exposure that was deleted meanwhile are dropped. */
export async function writeReads(db: Db, reads: readonly MapRead[]): Promise<void> {
  const of = <T>(pick: (each: MapRead) => T) => reads.map(pick);
  await db.$executeRaw`
    INSERT INTO map_read AS kept
      (exposure_id, hour, actor_kind, actor_id, actor_name, address, format, count, first_at, last_at)
    SELECT r.* FROM unnest(${of((each) => each.exposureId)}::text[], ${of((each) => each.hour)}::timestamptz[],
      ${of((each) => each.actorKind)}::text[], ${of((each) => each.actorId)}::text[], ${of((each) => each.actorName)}::text[],
      ${of((each) => each.address)}::text[], ${of((each) => each.format)}::text[], ${of((each) => each.count)}::int[],
      ${of((each) => each.firstAt)}::timestamptz[], ${of((each) => each.lastAt)}::timestamptz[])
      AS r (exposure_id, hour, actor_kind, actor_id, actor_name, address, format, count, first_at, last_at)
    JOIN exposure e ON e.id = r.exposure_id
    ORDER BY r.exposure_id, r.hour, r.actor_kind, r.actor_id, r.address, r.format
    ON CONFLICT (exposure_id, hour, actor_kind, actor_id, address, format) DO UPDATE
    SET count = kept.count + excluded.count, actor_name = excluded.actor_name,
      first_at = least(kept.first_at, excluded.first_at), last_at = greatest(kept.last_at, excluded.last_at)`;
}
