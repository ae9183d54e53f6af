import type { RouterInputs } from "@fairlead/api";
import type { FeedEntry, SubjectKind } from "@fairlead/domain/event";

type RouterName = keyof RouterInputs;

/** The subjects whose changes affect the responses of a router. */
type Causes = {
  /** The objects of the router itself: of the detail queries, only those of changed objects are affected. */
  own?: SubjectKind;
  /** Subjects that its responses count or name. */
  others?: readonly SubjectKind[];
};

/** How a router whose changes aren't in the feed is refreshed. Some have no queries in the dashboard. */
type Unannounced = "polled" | "on-request" | "no-queries";

/** BGP changes of agents are reported as a change of their node. */
const routing = { others: ["cluster", "node", "agent"] } as const;

/** A map changes when the status of its exposure's balancers changes. */
const maps = { others: ["exposure", "load-balancer"] } as const;

/** What affects each router. A new router needs an entry here, or its pages would never refetch. */
const routers = {
  overview: { others: ["cluster", "node", "agent", "exposure", "load-balancer", "address-pool"] },
  // It lists what has been wrong for over a minute. Rows that arrive with each change would move while they are read.
  attention: "polled",
  cluster: { own: "cluster", others: ["node", "agent", "exposure", "load-balancer"] },
  // A change of an agent is also one of its node.
  node: { own: "node", others: ["cluster"] },
  agent: "no-queries",
  enrollmentToken: { own: "enrollment-token" },
  // Addresses change with a restart.
  controlPlane: "on-request",
  addressPool: { own: "address-pool", others: ["cluster", "exposure", "load-balancer"] },
  exposure: { own: "exposure", others: ["cluster", "load-balancer"] },
  // Its gates change all the time, so its page polls too.
  move: { others: ["exposure"] },
  loadBalancer: { own: "load-balancer", others: ["cluster", "exposure"] },
  addressMap: maps,
  addressMapping: maps,
  mappingChange: maps,
  // Latency and headroom change all the time.
  choice: "polled",
  routing,
  bgpSession: routing,
  bgpTransition: routing,
  announcement: routing,
  route: routing,
  cloudAddress: { others: ["cluster"] },
  routingTable: "on-request",
  routeUpdate: "polled",
  routeDelay: "polled",
  experiment: { own: "experiment" },
  experimentStep: { others: ["experiment"] },
  cost: { others: ["negotiated-price", "own-machine", "currency-rate", "price-refresh"] },
  offer: { others: ["price-refresh"] },
  pricePoint: { others: ["price-refresh"] },
  negotiatedPrice: { own: "negotiated-price" },
  ownMachine: { own: "own-machine" },
  currencyRate: { own: "currency-rate" },
  // Calculating what is spent takes long, so the page polls it seldom.
  budget: { own: "budget", others: ["negotiated-price", "own-machine", "currency-rate", "price-refresh"] },
  // Traffic changes all the time.
  trafficFlow: "polled",
  usage: "no-queries",
  priceRefresh: { own: "price-refresh" },
  series: "polled",
  event: "every-event",
  // Every change may have added an audit entry.
  audit: "every-change",
  member: { own: "member", others: ["organization"] },
  invitation: { own: "invitation", others: ["member"] },
  apiKey: { own: "api-key" },
  identityProvider: { own: "identity-provider" },
  session: { others: ["member", "organization"] },
  live: "no-queries",
} as const satisfies Record<RouterName, Causes | Unannounced | "every-change" | "every-event">;

type StatedCauses = Exclude<(typeof routers)[RouterName], string>;
type AffectingKind =
  | Extract<StatedCauses, { own: SubjectKind }>["own"]
  | Extract<StatedCauses, { others: readonly SubjectKind[] }>["others"][number];

type Input = { id?: string; subjectId?: string };
export type Affected = (queryKey: readonly unknown[]) => boolean;

/**
 * affectedBy returns the cached queries that a batch of changes may affect: all lists of a changed router, but of its
 * detail queries, and of events by object, only those of changed objects.
 */
export function affectedBy(entries: readonly FeedEntry[]): Affected {
  const changed = new Map<SubjectKind, Set<string>>();
  for (const { subjectKind, subjectId } of entries) {
    // A kind of subject that affects no router is a type error here.
    const kind: AffectingKind = subjectKind;
    changed.set(kind, (changed.get(kind) ?? new Set()).add(subjectId));
  }
  return (queryKey) => {
    const [path, options] = queryKey as [string[]?, { input?: Input }?];
    const router = path?.[0];
    if (!path || !isRouter(router)) return false;
    const causes: Causes | (typeof routers)[RouterName] = routers[router];
    if (causes === "every-change") return entries.some((entry) => isAbout(entry, options?.input?.subjectId));
    if (causes === "every-event") return entries.some((entry) => mayReport(entry, options?.input?.subjectId));
    if (typeof causes === "string") return false;
    const { own, others = [] }: Causes = causes;
    if (others.some((kind) => changed.has(kind))) return true;
    const ids = own && changed.get(own);
    if (!ids) return false;
    const id = options?.input?.id;
    return path[1] !== "get" || id === undefined || ids.has(id);
  };
}

function isRouter(name: string | undefined): name is RouterName {
  return name !== undefined && Object.hasOwn(routers, name);
}

/** The audit of one object changes only with that object. */
function isAbout({ subjectId }: FeedEntry, of: string | undefined): boolean {
  return of === undefined || subjectId === of;
}

function mayReport(entry: FeedEntry, subjectId: string | undefined): boolean {
  if (subjectId === undefined || entry.subjectId === subjectId) return true;
  // A balancer's event also belongs to its exposure. A change of an exposure may be the only notice of changes of its
  // balancers.
  const { subjectKind } = entry;
  if (subjectKind === "exposure") return subjectId.startsWith("lb_");
  return subjectKind === "load-balancer" && subjectId.startsWith("exp_");
}
