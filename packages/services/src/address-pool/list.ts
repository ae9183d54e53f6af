import type { Page } from "@fairlead/domain";
import type { AddressPool, ListAddressPools } from "@fairlead/domain/address-pool";
import type { ServiceContext } from "../context.ts";
import { contains, equals } from "../control/filter.sql.ts";
import { listWithin } from "../control/list-within.ts";
import { type AddressPoolRow, addressPoolSource, toAddressPool } from "./rows.ts";

const casts = { name: "text", clusterName: "text", allocated: "float8", createdAt: "timestamptz" } as const;

export async function listAddressPools(ctx: ServiceContext, input: ListAddressPools): Promise<Page<AddressPool>> {
  const page = await listWithin<AddressPoolRow>(ctx, "address-pool:read", input, {
    ...addressPoolSource,
    sort: { cast: casts[input.sort] },
    where: [contains(["name", "prefix", "note"], input.search), equals("clusterId", input.clusterId)],
  });
  return { ...page, items: page.items.map(toAddressPool) };
}
