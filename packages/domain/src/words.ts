import type { StrategyType } from "./strategy.ts";

// The words that objects are described with. They stand apart from the schemas that are made of them, so that a page
// can offer them without bringing a validator to the browser.

export const strategyTypes = [
  "per-replica",
  "ecmp",
  "session",
  "adaptive",
  "cloud",
] as const satisfies readonly StrategyType[];
export const engines = ["auto", "tcx", "xdp", "ipvs", "nftables", "userspace"] as const;
export const deliveries = ["direct", "tunnel", "gue", "nat", "proxy"] as const;
/** Of the kernel's IPVS. */
export const schedulers = ["rr", "wrr", "lc", "wlc", "sh", "dh", "sed", "nq", "mh"] as const;

export const exposurePhases = ["pending", "serving", "degraded", "failed", "deleting"] as const;
export const loadBalancerPhases = ["pending", "serving", "degraded", "failed", "deleting"] as const;
export const loadBalancerKinds = ["fairlead", "cloud"] as const;
export const backendStates = ["active", "draining", "filling", "inactive"] as const;
export const backendHealths = ["up", "down", "unknown"] as const;

/** What agents run as. */
export const agentRoles = ["node", "balancer", "speaker", "reflector", "router"] as const;
/** What agents run as that speak BGP. */
export const bgpRoles: readonly string[] = ["speaker", "reflector", "router"];
/** In the order in which a session passes them. */
export const bgpSessionStates = ["idle", "connect", "active", "open-sent", "open-confirm", "established"] as const;
export const announcementStands = ["offered", "draining", "withdrawn"] as const;
export const bgpTransitionKinds = ["session", "announcement"] as const;
/** In the order in which an update of a route takes them. */
export const routeSteps = ["ready", "caused", "announced", "reflected", "learned", "routed", "carried"] as const;
export type RouteStep = (typeof routeSteps)[number];

export const experimentStates = ["running", "finished", "stopped", "failed"] as const;
export const experimentStepKinds = ["asked", "seen"] as const;

/** How a cloud brings a service address to a replica, where no router listens to BGP. */
export const cloudRouteMethods = ["route", "secondary-address", "elastic-address"] as const;
/** placed: read back where it should be; unserved: no replica is fit; refused: the cloud, or what is there, doesn't let us. */
export const cloudAddressStates = ["placed", "moving", "unserved", "refused", "leaving"] as const;

/**
 * How a cloud tells what its load balancers measured. checking: not asked yet; partial: of some it doesn't; unreachable: nobody
 * answers; refused: somebody has to change what it is asked by.
 */
export const cloudMetricsPhases = ["checking", "reading", "partial", "unreachable", "refused"] as const;

/**
 * How a cluster's API was found. checking: not asked yet; degraded: it answers, and doesn't allow all that is needed;
 * unreachable: nobody answers; refused: somebody has to change what it is asked by.
 */
export const kubernetesPhases = ["checking", "connected", "degraded", "unreachable", "refused"] as const;
export const kubernetesUserTypes = ["token", "certificate", "password", "in-cluster"] as const;

/** What of a Kubernetes cluster is told. A service is one of somebody else, that is reached from outside. */
export const inventoryKinds = ["node", "stateful-set", "deployment", "daemon-set", "service"] as const;

export const clusterKinds = ["kubernetes", "lab", "machines"] as const;
export const nodeStates = ["in-sync", "out-of-sync", "silent", "never-seen", "revoked"] as const;

export const severities = ["info", "warning", "problem"] as const;
export const subjectKinds = [
  "cluster",
  "node",
  "agent",
  "exposure",
  "load-balancer",
  "address-pool",
  "member",
  "invitation",
  "api-key",
  "identity-provider",
  "negotiated-price",
  "own-machine",
  "currency-rate",
  "enrollment-token",
  "experiment",
  "price-refresh",
  "organization",
] as const;

/** What happened to an instance's part of an address map. */
export const mappingChanges = ["added", "moved", "ready", "unready", "removed"] as const;

/** How a map is written besides the form that was asked for by its path or by Accept. */
export const mapFormats = ["json", "yaml", "compact"] as const;
export type MapFormat = (typeof mapFormats)[number];

/** Who may read an address map besides who may change its exposure. */
export const mapAccessModes = ["organization", "keys"] as const;
