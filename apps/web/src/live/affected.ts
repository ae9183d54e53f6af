import type { FeedEntry, SubjectKind } from "@fairlead/domain/event";

type RouterName =
  | "addressMap"
  | "addressMapping"
  | "addressPool"
  | "announcement"
  | "apiKey"
  | "audit"
  | "bgpSession"
  | "bgpTransition"
  | "cloudAddress"
  | "cluster"
  | "cost"
  | "currencyRate"
  | "enrollmentToken"
  | "event"
  | "experiment"
  | "experimentStep"
  | "exposure"
  | "identityProvider"
  | "invitation"
  | "loadBalancer"
  | "mappingChange"
  | "member"
  | "negotiatedPrice"
  | "node"
  | "offer"
  | "overview"
  | "ownMachine"
  | "pricePoint"
  | "priceRefresh"
  | "route"
  | "routing"
  | "session";

/** BGP changes of agents are reported as a change of their node. */
const routing = ["routing", "bgpSession", "bgpTransition", "announcement", "route"] as const;

/** A map changes when the status of its exposure's balancers changes. */
const maps = ["addressMap", "addressMapping", "mappingChange"] as const;

/** The router of a subject first, then the routers whose responses count or name it. */
const routersOf: Record<SubjectKind, readonly [RouterName, ...RouterName[]]> = {
  cluster: ["cluster", "overview", "exposure", "loadBalancer", "node", "addressPool", "cloudAddress", ...routing],
  node: ["node", "cluster", "overview", ...routing],
  agent: ["node", "cluster", "overview", ...routing],
  exposure: ["exposure", "loadBalancer", "cluster", "addressPool", "overview", ...maps],
  "load-balancer": ["loadBalancer", "exposure", "cluster", "addressPool", "overview", ...maps],
  "address-pool": ["addressPool", "overview"],
  invitation: ["invitation"],
  member: ["member", "session", "invitation"],
  "api-key": ["apiKey"],
  "identity-provider": ["identityProvider"],
  "negotiated-price": ["negotiatedPrice", "cost"],
  "own-machine": ["ownMachine", "cost"],
  "currency-rate": ["currencyRate", "cost"],
  "enrollment-token": ["enrollmentToken"],
  experiment: ["experiment", "experimentStep"],
  "price-refresh": ["priceRefresh", "pricePoint", "offer", "cost"],
  organization: ["session", "member"],
};

type Input = { id?: string; subjectId?: string };
export type Affected = (queryKey: readonly unknown[]) => boolean;

/**
 * affectedBy returns the cached queries that a batch of changes may affect: all lists of a changed router, but of its
 * detail queries, and of events by object, only those of changed objects.
 */
export function affectedBy(entries: readonly FeedEntry[]): Affected {
  const own = new Map<string, Set<string>>();
  const whole = new Set<string>(entries.length > 0 ? ["audit"] : []); // every change may have added an audit entry
  for (const { subjectKind, subjectId } of entries) {
    const [first, ...others] = routersOf[subjectKind];
    // The router of an agent is that of its node, whose id the entry does not contain.
    if (subjectKind === "agent") whole.add(first);
    else own.set(first, (own.get(first) ?? new Set()).add(subjectId));
    for (const other of others) whole.add(other);
  }
  return (queryKey) => {
    const [path, options] = queryKey as [string[]?, { input?: Input }?];
    const router = path?.[0];
    if (!router) return false;
    if (router === "event") return entries.some((entry) => mayReport(entry, options?.input?.subjectId));
    if (whole.has(router)) return true;
    const ids = own.get(router);
    if (!ids) return false;
    const id = options?.input?.id;
    return path[1] !== "get" || id === undefined || ids.has(id);
  };
}

function mayReport(entry: FeedEntry, subjectId: string | undefined): boolean {
  if (subjectId === undefined || entry.subjectId === subjectId) return true;
  // An agent's event also belongs to its node, and a balancer's to its exposure. A change of an exposure may be the
  // only notice of changes of its balancers.
  const { subjectKind } = entry;
  if (subjectKind === "exposure") return subjectId.startsWith("lb_");
  return subjectKind === "agent" || (subjectKind === "load-balancer" && subjectId.startsWith("exp_"));
}
