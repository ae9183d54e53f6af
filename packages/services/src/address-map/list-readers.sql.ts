import { notFound } from "@fairlead/domain";
import type { MapReader, MapReaders } from "@fairlead/domain/address-map";
import { authorize, type ServiceContext } from "../context.ts";

const mostReaders = 200;
const dayMs = 24 * 3_600_000;

type Row = Omit<MapReader, "hours"> & { hours: { atMs: number; reads: number }[]; total: number };

/** listMapReaders returns who read an exposure's map: one actor at one address in one format is one reader. */
export async function listMapReaders(ctx: ServiceContext, exposureId: string): Promise<MapReaders> {
  authorize(ctx, "audit:read");
  const { db, organizationId } = ctx;
  const exposure = await db.exposure.findFirst({ where: { id: exposureId, organizationId }, select: { id: true } });
  if (!exposure) throw notFound("exposure", exposureId);
  const since = new Date(ctx.now.getTime() - dayMs);
  const rows = await db.$queryRaw<Row[]>`
    SELECT actor_kind AS "actorKind", actor_id AS "actorId", (array_agg(actor_name ORDER BY last_at DESC))[1] AS "actorName",
      nullif(address, '') AS address, format, sum(count)::int AS reads, min(first_at) AS "firstAt", max(last_at) AS "lastAt",
      coalesce(jsonb_agg(jsonb_build_object('atMs', extract(epoch FROM hour) * 1000, 'reads', count) ORDER BY hour)
        FILTER (WHERE hour > ${since}), '[]') AS hours,
      (count(*) OVER ())::int AS total
    FROM map_read WHERE exposure_id = ${exposureId}
    GROUP BY actor_kind, actor_id, address, format
    ORDER BY max(last_at) DESC, actor_id, address, format LIMIT ${mostReaders}`;
  return {
    readers: rows.map(({ total: _, hours, ...row }) => ({
      ...row,
      hours: hours.map(({ atMs, reads }) => ({ hour: new Date(Number(atMs)), reads })),
    })),
    total: rows[0]?.total ?? 0,
  };
}
