import { type AskRouterConfig, invalid, type RouterConfigText, routerConfig, routerFormats } from "@fairlead/domain";
import { loadCluster } from "../cluster/get.ts";
import { authorize, type ServiceContext } from "../context.ts";
import { selectSpeakers } from "./select-speakers.sql.ts";

/** writeRouterConfig makes the text that joins somebody else's router, or host, to the cluster's network. */
export async function writeRouterConfig(
  ctx: ServiceContext,
  clusterId: string,
  { format, router: name, address = "", address6 }: AskRouterConfig,
): Promise<RouterConfigText> {
  authorize(ctx, "cluster:read");
  const { routing } = await loadCluster(ctx.db, ctx.organizationId, clusterId);
  if (!routing) throw invalid(["id"], "The cluster has no routing yet; set its AS and its network first.");
  const router = name ? routing.routers.find((each) => each.name === name) : routing.routers[0];
  if (name && !router)
    throw invalid(["router"], `The cluster's routing has no router ${name}; name one of it, or leave it out.`);
  if (routerFormats.some((each) => each === format)) {
    if (!router) throw invalid(["router"], "The cluster's routing has no router; add one, with its address and AS.");
  } else if (!address) throw invalid(["address"], "Give the address of the host that is to offer services itself.");
  const pools = await ctx.db.addressPool.findMany({ where: { clusterId }, orderBy: { prefix: "asc" } });
  const { asn, reflectors, balancers, holdSeconds, hasPassword, nearOnly, detection, mostNextHops } = routing;
  const network = {
    asn,
    router: { asn: router?.asn ?? asn, id: router?.address ?? address },
    peers: reflectors.length > 0 ? reflectors : await selectSpeakers(ctx.db, clusterId),
    balancers,
    services: pools.map((each) => each.prefix),
    holdSeconds,
    hasPassword,
    nearOnly,
    detection,
    mostNextHops,
  };
  return { format, text: routerConfig(format, network, { address, address6: address6 ?? null }) };
}
