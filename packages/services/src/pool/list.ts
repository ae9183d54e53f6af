import { Prisma, selectPage } from "@fairlead/db";
import type { AddressPool, ListAddressPools, Page } from "@fairlead/domain";
import { authorize, type ServiceContext } from "../context.ts";
import { contains, equals } from "../control/filter.sql.ts";
import { type AddressPoolRow, addressPoolSource, toAddressPool } from "./rows.ts";

const casts = { name: "text", clusterName: "text", allocated: "float8", createdAt: "timestamptz" } as const;

export async function listAddressPools(ctx: ServiceContext, input: ListAddressPools): Promise<Page<AddressPool>> {
  authorize(ctx, "pool:read");
  const page = await selectPage<AddressPoolRow>(ctx.db, {
    ...addressPoolSource,
    sort: { column: input.sort, cast: casts[input.sort] },
    direction: input.direction,
    where: [
      Prisma.sql`"organizationId" = ${ctx.organizationId}`,
      contains(["name", "prefix"], input.search),
      equals("clusterId", input.clusterId),
    ],
    page: input,
  });
  return { ...page, items: page.items.map(toAddressPool) };
}
