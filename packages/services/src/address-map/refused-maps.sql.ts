import { Prisma } from "@fairlead/db";
import { findMapRefusal, type MapAccess } from "@fairlead/domain/address-map";
import type { ServiceContext } from "../context.ts";

/** selectRefusedMaps finds the exposures whose map the actor may not read; few have access settings at all. */
export async function selectRefusedMaps(ctx: ServiceContext): Promise<string[]> {
  const rows = await ctx.db.$queryRaw<{ id: string; access: MapAccess }[]>`
    SELECT id, map_access AS access FROM exposure
    WHERE organization_id = ${ctx.organizationId} AND NOT (map_access ->> 'mode' = 'organization' AND map_access -> 'networks' = '[]')`;
  return rows
    .filter(({ access }) => findMapRefusal(access, ctx.actor, ctx.clientAddress ?? null) !== null)
    .map(({ id }) => id);
}

/** notRefused is the filter of lists over many maps. */
export function notRefused(refused: readonly string[]): Prisma.Sql {
  return refused.length === 0 ? Prisma.sql`true` : Prisma.sql`"exposureId" <> ALL(${refused}::text[])`;
}
