import { Prisma, selectPage } from "@fairlead/db";
import { invalid } from "@fairlead/domain";
import { type AddressMapping, type FoundMappings, type LookUpMapping, readEnd } from "@fairlead/domain/address-map";
import { loadCluster } from "../cluster/get.ts";
import { authorize, type ServiceContext } from "../context.ts";
import { equals } from "../control/filter.sql.ts";
import { openMap } from "./open.ts";
import { noteMapReads } from "./read-ledger.ts";
import { notRefused, selectRefusedMaps } from "./refused-maps.sql.ts";
import { addressMappingSource } from "./rows.ts";
import { takeMapRead } from "./take-read.ts";

/** The most mappings that one address can sensibly have. */
const mostFound = 200;

/** lookUpMapping finds the mappings of an internal or an external address, in any map. */
export async function lookUpMapping(ctx: ServiceContext, input: LookUpMapping): Promise<FoundMappings> {
  authorize(ctx, "map:read");
  await takeMapRead(ctx);
  // A named exposure that is missing or unreadable is an error: an empty answer would mean something else.
  if (input.exposureId !== undefined) await openMap(ctx, input.exposureId, ["exposureId"]);
  if (input.clusterId !== undefined) await loadCluster(ctx.db, ctx.organizationId, input.clusterId, ["clusterId"]);
  const { items } = await selectPage<AddressMapping>(ctx.db, {
    ...addressMappingSource,
    sort: { column: "instance", cast: "text" },
    direction: "asc",
    where: [
      Prisma.sql`"organizationId" = ${ctx.organizationId}`,
      notRefused(await selectRefusedMaps(ctx)),
      equals("exposureId", input.exposureId),
      equals("clusterId", input.clusterId),
      input.address === undefined ? atExternal(input.externalAddress ?? "") : atInternal(input.address),
    ],
    page: { limit: mostFound },
  });
  await noteMapReads(
    ctx,
    items.map((each) => each.exposureId),
    "lookup",
  );
  return { mappings: items };
}

function atInternal(text: string): Prisma.Sql {
  const { host, port } = parse(text, "address");
  // A pod has no host name here.
  if (!/^[0-9.]+$|:/.test(host))
    throw invalid(["address"], "write the internal address as an IP address, as 10.0.5.5:11222");
  return Prisma.sql`internal = ${host}::inet AND ${port === null ? Prisma.sql`true` : Prisma.sql`"internalPort" = ${port}::int`}`;
}

function atExternal(text: string): Prisma.Sql {
  const { host, port } = parse(text, "externalAddress");
  const isAddress = /^[0-9.]+$|:/.test(host);
  const there = isAddress
    ? Prisma.sql`"externalAddress" = host(${host}::inet)`
    : Prisma.sql`lower("externalAddress") = ${host.toLowerCase().replace(/\.$/, "")}`;
  return Prisma.sql`${there} AND ${port === null ? Prisma.sql`true` : Prisma.sql`"externalPort" = ${port}::int`}`;
}

function parse(text: string, field: string): { host: string; port: number | null } {
  const end = readEnd(text);
  if ("problem" in end) throw invalid([field], end.problem);
  return end;
}
