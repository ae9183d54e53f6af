import type { Permission } from "../access/access.ts";
import type { severities } from "../event/severities.ts";
import type { subjectKinds } from "../event/subject-kinds.ts";
import { type At, paths } from "./paths.ts";

type KindFacts = {
  severity: Exclude<(typeof severities)[number], "info">;
  /** The kind of object that the row names and links. */
  subject: (typeof subjectKinds)[number];
  /** Who sees it. */
  permission: Permission;
  /** On the badge: a word or two. */
  word: string;
  /** After a count: "1 exposure has no driver", "2 exposures have no driver". */
  one: string;
  many: string;
  /** What fixes it, and the page where that is done. */
  action: { label: string; path: (at: At) => string; permission: Permission };
  /** The page that lists all of them. */
  list: string;
};

const editExposure = { path: paths.exposureForm, permission: "exposure:write" } as const;
const viewBackends = { label: "View backends", path: paths.exposureBackends, permission: "exposure:read" } as const;
const viewSessions = { label: "View sessions", path: paths.exposureSessions, permission: "exposure:read" } as const;
const viewConditions = { ...viewBackends, label: "View conditions", path: paths.exposureConditions } as const;
const viewConnections = { ...viewBackends, label: "View connections", path: paths.exposureConnections } as const;
const exposure = { subject: "exposure", permission: "exposure:read" } as const;
const viewLoadBalancers = { ...viewBackends, label: "View load balancers" } as const;
const checkAgents = { label: "Check agents", path: paths.silentNodes, permission: "node:read" } as const;
const viewNode = { path: paths.node, permission: "node:read" } as const;
const addNode = { label: "Add node", path: paths.addNode, permission: "node:write" } as const;
const node = { subject: "node", permission: "node:read" } as const;
const viewRouting = { path: paths.routing, permission: "cluster:read" } as const;
const cluster = { subject: "cluster", permission: "cluster:read", list: "/clusters" } as const;
const addPool = { label: "Create address pool", path: paths.addPool, permission: "address-pool:write" } as const;
const pool = { subject: "address-pool", permission: "address-pool:read" } as const;
const budget = { subject: "budget", permission: "budget:read", list: "/costs/running" } as const;
const replaceKubeconfig = { label: "Replace kubeconfig", path: paths.kubernetes, permission: "cluster:write" } as const;
const viewCosts = { label: "View costs", path: paths.costs, permission: "exposure:read" } as const;
const prices = { subject: "price-refresh", permission: "price:read", list: "/costs/prices" } as const;

const silentNodes = "/nodes?state=silent";
const pendingExposures = "/exposures?phase=pending";
const notServingExposures = "/exposures?phase=pending,failed";
const degradedExposures = "/exposures?phase=degraded";
const poolsByUse = "/address-pools?sort=-allocated";

/**
 * Each kind of problem that a user has to fix, the most severe first. A new kind also needs a query in
 * packages/services/src/attention, and a row in docs/reference/dashboard.md.
 */
export const attentionKinds = {
  "exposure-failed": {
    ...{ ...exposure, severity: "problem", word: "Not serving", list: "/exposures?phase=failed" },
    ...{ one: "exposure doesn't serve", many: "exposures don't serve" },
    action: viewConditions,
  },
  "exposure-refused": {
    ...{ ...exposure, severity: "problem", word: "Rejected", list: "/exposures?phase=failed,degraded" },
    ...{ one: "exposure was rejected", many: "exposures were rejected" },
    action: { label: "Edit exposure", ...editExposure },
  },
  "exposure-no-driver": {
    ...{ ...exposure, severity: "problem", word: "No driver", list: pendingExposures },
    ...{ one: "exposure has no driver", many: "exposures have no driver" },
    action: { label: "Replace exposure", path: paths.cloneExposure, permission: "exposure:write" },
  },
  "exposure-not-attached": {
    ...{ ...exposure, severity: "problem", word: "Not attached", list: pendingExposures },
    ...{ one: "exposure waits for a kubeconfig", many: "exposures wait for a kubeconfig" },
    action: { label: "Attach cluster", path: paths.kubernetes, permission: "cluster:write" },
  },
  "exposure-no-address": {
    ...{ ...exposure, severity: "problem", word: "No address", list: "/exposures?phase=pending,degraded,failed" },
    ...{ one: "exposure lacks an address", many: "exposures lack an address" },
    action: addPool,
  },
  "exposure-no-agents": {
    ...{ ...exposure, severity: "problem", word: "No agents", list: pendingExposures },
    ...{ one: "exposure has no agent to run on", many: "exposures have no agent to run on" },
    action: addNode,
  },
  "exposure-instances-unknown": {
    ...{ ...exposure, severity: "problem", word: "Instances unknown", list: notServingExposures },
    ...{ one: "exposure has unknown instances", many: "exposures have unknown instances" },
    action: { label: "Check connection", path: paths.kubernetes, permission: "cluster:read" },
  },
  "exposure-no-backends": {
    ...{ ...exposure, severity: "problem", word: "No backends", list: "/exposures?phase=pending,degraded,failed" },
    ...{ one: "exposure has no backends", many: "exposures have no backends" },
    action: { label: "Check workload", ...editExposure },
  },
  "exposure-backends-down": {
    ...{ ...exposure, severity: "problem", word: "Backends down", list: "/exposures?phase=degraded,failed" },
    ...{ one: "exposure has no healthy backend", many: "exposures have no healthy backend" },
    action: viewBackends,
  },
  "exposure-agents-silent": {
    ...{ ...exposure, severity: "problem", word: "Agents silent", list: notServingExposures },
    ...{ one: "exposure waits for a silent agent", many: "exposures wait for a silent agent" },
    action: checkAgents,
  },
  "exposure-replicas-failed": {
    ...{ ...exposure, severity: "problem", word: "Replicas failed", list: notServingExposures },
    ...{ one: "exposure has no working replica", many: "exposures have no working replica" },
    action: viewLoadBalancers,
  },
  "exposure-pending": {
    ...{ ...exposure, severity: "problem", word: "Pending", list: pendingExposures },
    ...{ one: "exposure is pending", many: "exposures are pending" },
    action: viewConditions,
  },
  "exposure-not-deleted": {
    ...{ ...exposure, severity: "problem", word: "Not deleted", list: "/exposures?phase=deleting" },
    ...{ one: "exposure isn't deleted yet", many: "exposures aren't deleted yet" },
    action: viewConditions,
  },
  "node-silent": {
    ...{ ...node, severity: "problem", word: "Silent", list: silentNodes },
    ...{ one: "node is silent", many: "nodes are silent" },
    action: { label: "Check agent", ...viewNode },
  },
  "certificate-expired": {
    ...{ ...node, severity: "problem", word: "Certificate expired", list: silentNodes },
    ...{ one: "agent's certificate expired", many: "agents' certificates expired" },
    action: { ...addNode, label: "Enrol again" },
  },
  "bgp-session-down": {
    ...{ ...node, permission: "cluster:read", severity: "problem", word: "No BGP session", list: "/routing" },
    ...{ one: "BGP session is not established", many: "BGP sessions are not established" },
    action: { label: "View routing", ...viewRouting },
  },
  "cluster-unreachable": {
    ...{ ...cluster, severity: "problem", word: "Unreachable" },
    ...{ one: "cluster is unreachable", many: "clusters are unreachable" },
    action: { label: "Check connection", path: paths.kubernetes, permission: "cluster:read" },
  },
  "cluster-refused": {
    ...{ ...cluster, severity: "problem", word: "Access denied" },
    ...{ one: "cluster denies access", many: "clusters deny access" },
    action: replaceKubeconfig,
  },
  "cloud-address-refused": {
    ...{ ...cluster, severity: "problem", word: "Cloud refused", list: "/routing" },
    ...{ one: "address is refused by its cloud", many: "addresses are refused by their cloud" },
    action: { label: "Check cloud route", path: paths.cloudRoute, permission: "cluster:read" },
  },
  "cloud-address-unserved": {
    ...{ ...cluster, severity: "problem", word: "Unserved", list: "/routing" },
    ...{ one: "cloud address has no replica", many: "cloud addresses have no replica" },
    action: { label: "View routing", ...viewRouting },
  },
  "exposure-too-many-instances": {
    ...{ ...exposure, severity: "warning", word: "Too many instances", list: degradedExposures },
    ...{ one: "exposure has too many instances", many: "exposures have too many instances" },
    action: { label: "Edit exposure", ...editExposure },
  },
  "exposure-partly-placed": {
    ...{ ...exposure, severity: "warning", word: "Replica missing", list: degradedExposures },
    ...{ one: "exposure lacks an agent for a replica", many: "exposures lack an agent for a replica" },
    action: addNode,
  },
  "exposure-replica-silent": {
    ...{ ...exposure, severity: "warning", word: "Replica silent", list: degradedExposures },
    ...{ one: "exposure has a silent replica", many: "exposures have a silent replica" },
    action: checkAgents,
  },
  "exposure-replica-failed": {
    ...{ ...exposure, severity: "warning", word: "Replica failed", list: degradedExposures },
    ...{ one: "exposure has a failed replica", many: "exposures have a failed replica" },
    action: viewLoadBalancers,
  },
  "exposure-some-backends-down": {
    ...{ ...exposure, severity: "warning", word: "Some backends down", list: degradedExposures },
    ...{ one: "exposure has backends that are down", many: "exposures have backends that are down" },
    action: viewBackends,
  },
  "exposure-not-by-session": {
    ...{ ...exposure, severity: "warning", word: "Not by session", list: degradedExposures },
    ...{
      one: "exposure doesn't return all clients to their TLS session",
      many: "exposures don't return all clients to their TLS session",
    },
    action: viewSessions,
  },
  "exposure-not-by-cost": {
    ...{ ...exposure, severity: "warning", word: "Not by cost", list: degradedExposures },
    ...{ one: "exposure doesn't place by cost", many: "exposures don't place by cost" },
    action: viewConnections,
  },
  "exposure-ticket-keys-outdated": {
    ...{ ...exposure, severity: "warning", word: "Outdated ticket keys", list: "/exposures?strategy=session" },
    ...{
      one: "exposure has servers or replicas with outdated ticket keys",
      many: "exposures have servers or replicas with outdated ticket keys",
    },
    action: viewSessions,
  },
  "exposure-degraded": {
    ...{ ...exposure, severity: "warning", word: "Partly serving", list: degradedExposures },
    ...{ one: "exposure serves only in part", many: "exposures serve only in part" },
    action: viewConditions,
  },
  "exposure-paused": {
    ...{ ...exposure, severity: "warning", word: "Paused", list: "/exposures?paused=yes" },
    ...{ one: "exposure has been paused for over a day", many: "exposures have been paused for over a day" },
    action: { label: "Resume exposure", path: paths.exposure, permission: "exposure:write" },
  },
  "config-refused": {
    ...{ ...node, severity: "warning", word: "Config refused", list: "/nodes?state=out-of-sync" },
    ...{ one: "node refuses its config", many: "nodes refuse their config" },
    action: { label: "View reason", ...viewNode },
  },
  "node-out-of-sync": {
    ...{ ...node, severity: "warning", word: "Out of sync", list: "/nodes?state=out-of-sync" },
    ...{ one: "node is out of sync", many: "nodes are out of sync" },
    action: { label: "Check agent", ...viewNode },
  },
  "node-never-reported": {
    ...{ ...node, severity: "warning", word: "Never reported", list: "/nodes?state=never-seen" },
    ...{ one: "node has never reported", many: "nodes have never reported" },
    action: { label: "Check agent", ...viewNode },
  },
  "cluster-degraded": {
    ...{ ...cluster, severity: "warning", word: "Permissions missing" },
    ...{ one: "cluster denies some permissions", many: "clusters deny some permissions" },
    action: { label: "View permissions", path: paths.kubernetes, permission: "cluster:read" },
  },
  "cloud-metrics-missing": {
    ...{ ...cluster, severity: "warning", word: "Metrics missing" },
    ...{ one: "cluster lacks cloud metrics", many: "clusters lack cloud metrics" },
    action: { label: "Check cloud metrics", path: paths.cloudMetrics, permission: "cluster:read" },
  },
  "pool-full": {
    ...{ ...pool, severity: "warning", word: "Pool full", list: poolsByUse },
    ...{ one: "address pool is full", many: "address pools are full" },
    action: addPool,
  },
  "pool-nearly-full": {
    ...{ ...pool, severity: "warning", word: "Nearly full", list: poolsByUse },
    ...{ one: "address pool is nearly full", many: "address pools are nearly full" },
    action: addPool,
  },
  "certificate-expiring": {
    ...{ ...node, severity: "warning", word: "Certificate expires", list: "/nodes" },
    ...{ one: "agent's certificate expires soon", many: "agents' certificates expire soon" },
    action: { label: "Check agent", ...viewNode },
  },
  "kubeconfig-expiring": {
    ...{ ...cluster, severity: "warning", word: "Kubeconfig expires" },
    ...{ one: "kubeconfig expires soon", many: "kubeconfigs expire soon" },
    action: replaceKubeconfig,
  },
  "token-expiring": {
    ...{ ...cluster, permission: "node:read", severity: "warning", word: "Token expires" },
    ...{ one: "enrolment token expires soon", many: "enrolment tokens expire soon" },
    action: { label: "Replace token", path: paths.tokens, permission: "node:write" },
  },
  "api-key-expiring": {
    ...{ subject: "api-key", permission: "key:read", severity: "warning", word: "Key expires" },
    ...{ one: "API key expires soon", many: "API keys expire soon", list: paths.apiKeys() },
    action: { label: "Replace API key", path: paths.apiKeys, permission: "key:write" },
  },
  "budget-over": {
    ...{ ...budget, severity: "warning", word: "Over budget" },
    ...{ one: "budget is exceeded", many: "budgets are exceeded" },
    action: viewCosts,
  },
  "budget-forecast-over": {
    ...{ ...budget, severity: "warning", word: "Forecast over budget" },
    ...{ one: "forecast exceeds its budget", many: "forecasts exceed their budgets" },
    action: viewCosts,
  },
  "budget-warned": {
    ...{ ...budget, severity: "warning", word: "Budget warning" },
    ...{ one: "budget has reached its warning", many: "budgets have reached their warnings" },
    action: viewCosts,
  },
  "budget-unknown": {
    ...{ ...budget, severity: "warning", word: "Budget unknown" },
    ...{ one: "budget can't be calculated", many: "budgets can't be calculated" },
    action: { ...viewCosts, label: "View reasons" },
  },
  "prices-held": {
    ...{ ...prices, severity: "warning", word: "Prices held" },
    ...{ one: "price refresh waits for review", many: "price refreshes wait for review" },
    action: { label: "Review prices", path: paths.priceRefresh, permission: "price:write" },
  },
  "price-refresh-failed": {
    ...{ ...prices, severity: "warning", word: "Refresh failed" },
    ...{ one: "price refresh failed", many: "price refreshes failed" },
    action: { label: "Refresh again", path: paths.priceRefresh, permission: "price:write" },
  },
} as const satisfies Record<string, KindFacts>;

export type AttentionKind = keyof typeof attentionKinds;
export const attentionKindNames = Object.keys(attentionKinds) as [AttentionKind, ...AttentionKind[]];
