import { Prisma, selectPage } from "@fairlead/db";
import type { Page } from "@fairlead/domain";
import type { AddressMapping, ListAddressMappings } from "@fairlead/domain/address-map";
import { authorize, type ServiceContext } from "../context.ts";
import { contains, equals, isTrue } from "../control/filter.sql.ts";
import { noteMapReads } from "./read-ledger.ts";
import { notRefused, selectRefusedMaps } from "./refused-maps.sql.ts";
import { addressMappingSource } from "./rows.ts";
import { takeMapRead } from "./take-read.ts";

const sorts = {
  instance: { cast: "text" },
  internalAddress: { cast: "address" },
  externalAddress: { cast: "address" },
  node: { cast: "text", nullable: true },
  exposureName: { cast: "text" },
  clusterName: { cast: "text" },
  since: { cast: "timestamptz" },
} as const;

/** listAddressMappings returns the mappings of all exposures whose maps the actor may read. */
export async function listAddressMappings(
  ctx: ServiceContext,
  input: ListAddressMappings,
): Promise<Page<AddressMapping>> {
  authorize(ctx, "map:read");
  await takeMapRead(ctx);
  const page = await selectPage<AddressMapping>(ctx.db, {
    ...addressMappingSource,
    sort: { column: input.sort, ...sorts[input.sort] },
    direction: input.direction,
    where: [
      Prisma.sql`"organizationId" = ${ctx.organizationId}`,
      notRefused(await selectRefusedMaps(ctx)),
      equals("exposureId", input.exposureId),
      equals("clusterId", input.clusterId),
      equals("instance", input.instance),
      atAddress(input.address),
      isTrue("ready", input.ready),
      contains(["instance", "internalAddress", "externalAddress", "node", "exposureName"], input.search),
    ],
    page: input,
  });
  await noteMapReads(
    ctx,
    page.items.map((each) => each.exposureId),
    "list",
  );
  return page;
}

function atAddress(address: string | undefined): Prisma.Sql {
  if (address === undefined) return Prisma.sql`true`;
  return Prisma.sql`(internal = ${address}::inet OR "externalAddress" = host(${address}::inet))`;
}
