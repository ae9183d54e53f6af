import { invalid } from "@fairlead/domain";
import {
  notesOn,
  type RouterConfigInput,
  type RouterConfigRequest,
  type RouterConfigText,
  type RouterNetwork,
  rolesOfFormat,
  routerConfig,
} from "@fairlead/domain/routing";
import { loadCluster } from "../cluster/get.ts";
import { authorize, type ServiceContext } from "../context.ts";
import { selectSpeakers } from "./select-speakers.sql.ts";

/** writeRouterConfig returns the config that connects an external router, or host, to the cluster's network. */
export async function writeRouterConfig(
  ctx: ServiceContext,
  clusterId: string,
  input: RouterConfigInput,
): Promise<RouterConfigText> {
  authorize(ctx, "cluster:read");
  const { routing } = await loadCluster(ctx.db, ctx.organizationId, clusterId);
  if (!routing) throw invalid(["id"], "The cluster has no routing yet; set its AS and its network first.");
  const pools = await ctx.db.addressPool.findMany({ where: { clusterId }, orderBy: { prefix: "asc" } });
  const network: RouterNetwork = {
    ...routing,
    services: pools.map((each) => each.prefix),
    speakers: await selectSpeakers(ctx.db, clusterId),
  };
  const request = configRequest(input, network);
  const { format, role } = request;
  return { format, role, text: routerConfig(network, request), notes: notesOn(request, network) };
}

/** configRequest determines the target of the config, or reports what is missing. */
function configRequest(
  { format, role: requested, ...given }: RouterConfigInput,
  network: RouterNetwork,
): RouterConfigRequest {
  const [usual, ...others] = rolesOfFormat[format];
  const role = requested ?? usual;
  if (role !== usual && !others.includes(role))
    throw invalid(
      ["role"],
      `${format} is written as ${[usual, ...others].join(" or ")}; request that, or leave it out.`,
    );
  switch (format) {
    case "gobgp":
    case "exabgp": {
      const { address, address6 } = given;
      if (!address) throw invalid(["address"], "Enter the address of the host that announces services itself.");
      if (network.reflectors.length + network.routers.length === 0)
        throw invalid(["format"], "The cluster's routing has no reflectors or routers to announce to; add one.");
      return { format, role: "speaker", self: { address, address6: address6 ?? null } };
    }
    case "frr":
      if (role === "reflector")
        return { format, role, self: pick("reflector", network.reflectors, given.reflector, "its address") };
      return { format, role: "router", self: pick("router", network.routers, given.router, "its address and AS") };
    case "bird":
    case "junos":
    case "eos":
    case "ios-xr":
      return { format, role: "router", self: pick("router", network.routers, given.router, "its address and AS") };
    default:
      throw new Error(`there is no format ${format satisfies never}`);
  }
}

/** pick returns the one of that name, or the first where none is named. */
function pick<T extends { name: string }>(
  kind: "router" | "reflector",
  list: T[],
  name: string | undefined,
  needs: string,
): T {
  const found = name === undefined ? list[0] : list.find((each) => each.name === name);
  if (found) return found;
  if (name === undefined || list.length === 0)
    throw invalid([kind], `The cluster's routing has no ${kind}; add one, with ${needs}.`);
  throw invalid(
    [kind],
    `The cluster's routing has no ${kind} ${name}; name one of it (${list.map((each) => each.name).join(", ")}), or leave it out.`,
  );
}
