type Topic = {
  /** The page and its paragraph, below /docs. */
  to: string;
  /** For the name of the link. */
  about: string;
};

const dashboard = (anchor: string, about: string): Topic => ({ to: `reference/dashboard#${anchor}`, about });
const exposure = (anchor: string, about: string): Topic => ({ to: `reference/exposures#${anchor}`, about });

/** Every paragraph of the documentation that a page or a field of the dashboard links to. A test checks that each exists. */
export const docsTopics = {
  overview: dashboard("overview", "the overview"),
  exposures: dashboard("exposures", "exposures"),
  loadBalancers: dashboard("load-balancers", "load balancers"),
  clusters: dashboard("clusters", "clusters"),
  nodes: dashboard("nodes", "nodes"),
  addressPools: dashboard("address-pools", "address pools"),
  routing: dashboard("routing", "routing"),
  experiments: dashboard("experiments", "experiments"),
  mappings: dashboard("mappings", "mappings"),
  costs: dashboard("costs", "costs"),
  events: dashboard("events", "events"),
  audit: dashboard("audit", "the audit log"),
  settings: dashboard("settings", "settings"),
  members: dashboard("members", "members"),
  apiKeys: dashboard("api-keys", "API keys"),
  signIn: dashboard("sign-in", "sign-in"),
  runningCost: { to: "reference/costs#meter", about: "running cost" },
  priceBook: { to: "reference/costs#price-book", about: "the price book" },
  priceRefreshes: { to: "reference/costs#price-feeds", about: "price feeds" },
  firstHour: { to: "guides/first-hour", about: "your first hour" },

  controlPlaneAddresses: { to: "reference/variables#addresses-and-data", about: "the variables for addresses" },
  nodeSettings: dashboard("node-settings", "node settings"),
  strategies: exposure("strategies", "strategies"),
  workload: exposure("workload", "workloads"),
  addresses: exposure("addresses", "addresses"),
  replicas: exposure("replicas-and-pool", "replicas"),
  healthChecks: exposure("health-checks", "health checks"),
  engines: exposure("engine-delivery-and-scheduler", "engines"),
  clientSampling: exposure("client-sampling", "client sampling"),
  trafficFlow: dashboard("flow-picture", "the flow picture"),
  kubeconfig: { to: "guides/kubernetes#steps", about: "kubeconfigs" },
  routingSettings: { to: "guides/routing#steps", about: "routing settings" },
  cloudRoute: { to: "guides/cloud-route#steps", about: "cloud routes" },
  cloudMetrics: { to: "guides/cloud-metrics#steps", about: "cloud metrics" },
  balancerPods: { to: "guides/kubernetes-balancers#how-it-works", about: "balancers as pods" },
  runsAs: { to: "reference/costs#your-own-machines", about: "machines" },
  experimentSettings: { to: "guides/experiments#how-it-works", about: "how experiments work" },
  mapAccess: { to: "guides/address-map#how-it-works", about: "readers of address maps" },
} as const satisfies Record<string, Topic>;

export type DocsTopic = keyof typeof docsTopics;

export function docsHref(topic: DocsTopic): string {
  return `/docs/${docsTopics[topic].to}`;
}
