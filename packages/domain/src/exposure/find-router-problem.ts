import type { Cluster } from "../cluster/cluster.ts";

/** The version of the agent protocol from which speakers send shares, and routers turn them into weights. */
export const weightsProtocol = 3;

type Routed = Pick<Cluster, "name" | "routing">;

/**
 * findRouterProblem returns why two clusters can't share an address by BGP, or null. weighing: addresses of Fairlead routers that
 * give next hops weights.
 */
export function findRouterProblem(own: Routed, other: Routed, weighing: ReadonlySet<string>): string | null {
  for (const { name, routing } of [own, other])
    if (!routing) return `${name} announces nothing by BGP: configure its routing.`;
  const theirs = other.routing?.routers ?? [];
  const common = (own.routing?.routers ?? []).filter((each) => theirs.some(({ address }) => address === each.address));
  if (common.length === 0)
    return `${own.name} and ${other.name} have no router in common: list a router with the same address in the routing of both.`;
  const equal = common.find((each) => !each.weights && !weighing.has(each.address));
  if (!equal) return findRouteDifference(own, other);
  return `The router ${equal.name} (${equal.address}) is not known to spread flows by weights: update its Fairlead agent, or set weights for it in the routing of ${own.name} if it uses link bandwidths.`;
}

/**
 * findRouteDifference returns why routers prefer all routes of one cluster to those of another, or null. They compare LOCAL_PREF and
 * MED before they spread anything, so shares would be ignored.
 */
export function findRouteDifference(own: Routed, other: Routed): string | null {
  if (!own.routing || !other.routing) return null;
  for (const [field, word, missing] of [
    ["preference", "LOCAL_PREF", 100],
    ["med", "MED", 0],
  ] as const) {
    const [mine, theirs] = [own.routing[field] ?? missing, other.routing[field] ?? missing];
    if (mine === theirs) continue;
    const isOwn = field === "med" ? mine < theirs : mine > theirs;
    const winner = isOwn ? own.name : other.name;
    return `Routers send all connections to ${winner} and ignore the shares, because ${field} (${word}) is ${mine} in the routing of ${own.name} and ${theirs} in that of ${other.name}: set ${field} to the same value in both.`;
  }
  return null;
}
