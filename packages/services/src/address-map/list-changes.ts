import { Prisma, selectPage } from "@fairlead/db";
import { mostCounted, type Page } from "@fairlead/domain";
import type { AddressMappingChange, ListMappingChanges } from "@fairlead/domain/address-map";
import { authorize, type ServiceContext } from "../context.ts";
import { contains, equals, isOneOf, within } from "../control/filter.sql.ts";
import { noteMapReads } from "./read-ledger.ts";
import { notRefused, selectRefusedMaps } from "./refused-maps.sql.ts";
import { addressMappingChangeSource } from "./rows.ts";
import { takeMapRead } from "./take-read.ts";

/** listMappingChanges returns what was added, removed and moved in address maps. */
export async function listMappingChanges(
  ctx: ServiceContext,
  input: ListMappingChanges,
): Promise<Page<AddressMappingChange>> {
  authorize(ctx, "map:read");
  await takeMapRead(ctx);
  const page = await selectPage<AddressMappingChange>(ctx.db, {
    ...addressMappingChangeSource,
    sort: { column: input.sort, cast: "timestamptz" },
    direction: input.direction,
    where: [
      Prisma.sql`"organizationId" = ${ctx.organizationId}`,
      notRefused(await selectRefusedMaps(ctx)),
      equals("exposureId", input.exposureId),
      equals("instance", input.instance),
      isOneOf("what", input.what),
      contains(["instance", "exposureName"], input.search),
      within("at", input.from, input.to),
    ],
    page: input,
    countAtMost: mostCounted,
  });
  await noteMapReads(
    ctx,
    page.items.map((each) => each.exposureId),
    "changes",
  );
  return page;
}
