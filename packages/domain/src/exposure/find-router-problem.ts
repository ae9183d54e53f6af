import type { Cluster } from "../cluster/cluster.ts";

/** The version of the agent protocol from which speakers send shares, and routers turn them into weights. */
export const weightsProtocol = 3;

/** The LOCAL_PREF of balancers that stand by: the lowest, apart from that of draining ones. */
export const standbyPreference = 2;
/** Their MED: the highest. */
export const standbyMed = 4_294_967_295;

type Routed = Pick<Cluster, "name" | "routing">;
type Routing = NonNullable<Cluster["routing"]>;

/** What placements expect of a router: weights, to divide connections, and an order, to prefer clusters with a share. */
export type RouterUse = { byWeight: boolean; inOrder: boolean };

/** isEven: the router should use the routes of both clusters of a pair. */
export type PairUse = RouterUse & { isEven: boolean };

/** routerUseOf takes for each cluster whether it stands by. */
export function routerUseOf(standing: readonly boolean[]): RouterUse {
  return { byWeight: standing.filter((each) => !each).length > 1, inOrder: standing.includes(true) };
}

/** pairUseOf returns what two of the clusters expect, by whether each stands by. */
export function pairUseOf({ byWeight }: RouterUse, own: boolean, other: boolean): PairUse {
  return { byWeight, inOrder: own || other, isEven: !own && !other };
}

/**
 * findRouterProblem returns why two clusters can't announce one address by BGP, or null. weighing: addresses of Fairlead routers that
 * give next hops weights.
 */
export function findRouterProblem(
  own: Routed,
  other: Routed,
  { weighing, use }: { weighing: ReadonlySet<string>; use: PairUse },
): string | null {
  for (const { name, routing } of [own, other])
    if (!routing) return `${name} announces nothing by BGP: configure its routing.`;
  const common = routersOf(own).filter((each) => routersOf(other).some(({ address }) => address === each.address));
  if (common.length === 0)
    return `${own.name} and ${other.name} have no router in common: list a router with the same address in the routing of both.`;
  const equal = common.find((each) => !each.weights && !weighing.has(each.address));
  if (equal && use.byWeight)
    return `The router ${equal.name} (${equal.address}) is not known to spread flows by weights: update its Fairlead agent, or set weights for it in the routing of ${own.name} if it uses link bandwidths. Without weights, only one cluster can have a share: set the others to 0 %, and they stand by.`;
  return (use.isEven ? findRouteDifference(own, other) : null) ?? (use.inOrder ? findOrderProblem(own, other) : null);
}

/** A router prefers a route by LOCAL_PREF, which only its own AS sends, or by MED, which it compares within one other AS. */
function findOrderProblem(own: Routed, other: Routed): string | null {
  const both = [own, other].flatMap(({ name, routing }) => (routing ? [{ name, routing }] : []));
  const low = both.find(({ routing }) => routing.preference <= standbyPreference);
  if (low)
    return `${low.name} announces with LOCAL_PREF ${low.routing.preference}, no more than a cluster that stands by: set a preference above ${standbyPreference} in its routing.`;
  const sendsMed = own.routing?.asn === other.routing?.asn && both.every(({ routing }) => isDirect(routing));
  const blind = routersOf(own).find(
    ({ address, asn }) =>
      routersOf(other).some((each) => each.address === address) &&
      !sendsMed &&
      both.some(({ routing }) => routing.asn !== asn),
  );
  if (!blind) return null;
  return `The router ${blind.name} (${blind.address}) can't see which cluster stands by: it is in another AS, where LOCAL_PREF is not sent, and it compares MED only between balancers of one AS that announce to it directly. Put it into the AS of the balancers, or give both clusters a share.`;
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

const routersOf = ({ routing }: Routed): Routing["routers"] => routing?.routers ?? [];
const isDirect = ({ reflectors }: Routing): boolean => reflectors.length === 0;
