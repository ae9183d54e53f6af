type Topic = {
  /** The page and its paragraph, below /docs. */
  to: string;
  /** For the name of the link. */
  about: string;
};

const dashboard = (anchor: string, about: string): Topic => ({ to: `reference/dashboard#${anchor}`, about });
const cost = (anchor: string, about: string): Topic => ({ to: `reference/costs#${anchor}`, about });
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
  choose: dashboard("choose", "the page Choose"),
  requirements: { to: "guides/choose#requirements", about: "requirements" },
  latencyFrom: { to: "guides/choose#latency", about: "latency" },
  costs: dashboard("costs", "costs"),
  events: dashboard("events", "events"),
  audit: dashboard("audit", "the audit log"),
  settings: dashboard("settings", "settings"),
  members: dashboard("members", "members"),
  apiKeys: dashboard("api-keys", "API keys"),
  signIn: dashboard("sign-in", "sign-in"),
  runningCost: cost("meter", "running cost"),
  budgets: cost("budgets", "budgets"),
  priceBook: cost("price-book", "the price book"),
  priceRefreshes: cost("price-feeds", "price feeds"),
  profileTraffic: cost("traffic", "traffic"),
  profileConnections: cost("connections", "connections"),
  profileBalancing: cost("balancing", "balancing"),
  noBalancer: cost("no-balancer", "the capacity of a backend"),
  estimateChoices: cost("choices", "providers, requirements and currency"),
  grades: cost("grades", "evidence and added latency"),
  firstHour: { to: "guides/first-hour", about: "your first hour" },

  controlPlaneAddresses: { to: "reference/variables#addresses-and-data", about: "the variables for addresses" },
  nodeSettings: dashboard("node-settings", "node settings"),
  strategies: exposure("strategies", "strategies"),
  workload: exposure("workload", "workloads"),
  ports: exposure("ports", "ports"),
  labels: exposure("labels", "labels"),
  cloudBalancers: exposure("cloud-load-balancers", "cloud load balancers"),
  addresses: exposure("addresses", "addresses"),
  replicas: exposure("replicas-and-pool", "replicas"),
  healthChecks: exposure("health-checks", "health checks"),
  engines: exposure("engine-delivery-and-scheduler", "engines"),
  tlsSessions: { to: "guides/tls-sessions#settings", about: "TLS sessions" },
  ticketKeys: { to: "guides/tls-sessions#ticket-keys", about: "ticket keys" },
  managedTicketKeys: { to: "guides/tls-sessions#managed-keys", about: "managed ticket keys" },
  adaptive: { to: "guides/adaptive#settings", about: "the strategy adaptive" },
  labTopologies: { to: "reference/lab#topologies", about: "topologies of labs" },
  placements: { to: "guides/spanning-clusters#set-shares", about: "exposures in several clusters" },
  moveSettings: { to: "guides/spanning-clusters#move-an-exposure", about: "moves" },
  clientSampling: exposure("client-sampling", "client sampling"),
  trafficFlow: dashboard("flow-picture", "the flow picture"),
  clusterSettings: dashboard("cluster-settings", "the settings of a cluster"),
  balancerCharts: dashboard("traffic-charts", "charts of traffic"),
  sessionCharts: dashboard("tls-sessions", "the tab Sessions"),
  adaptiveTab: dashboard("connections", "the tab Connections"),
  whatIf: { to: "guides/adaptive#what-if", about: "predictions" },
  backendAgents: { to: "guides/tls-sessions#steps", about: "agents of the role backend" },
  nodeCharts: dashboard("node-charts", "charts of nodes"),
  rejectedKubeconfig: { to: "reference/kubernetes#rejected-kubeconfig-fields", about: "rejected kubeconfigs" },
  kubeconfig: { to: "guides/kubernetes#steps", about: "kubeconfigs" },
  routingSettings: { to: "reference/routing#settings", about: "routing settings" },
  routerConfigurations: { to: "reference/routing#router-configurations", about: "router configurations" },
  cloudRoute: { to: "guides/cloud-route#steps", about: "cloud routes" },
  cloudMetrics: { to: "guides/cloud-metrics#steps", about: "cloud metrics" },
  balancerImage: { to: "guides/kubernetes-balancers#steps", about: "the image of the agent" },
  balancerPods: { to: "guides/kubernetes-balancers#how-it-works", about: "balancers as pods" },
  runsAs: cost("meter", "where a cluster runs"),
  experimentCharts: { to: "guides/experiments#how-it-works", about: "how experiments work" },
  updatePhases: { to: "reference/routing#phases-of-a-route-update", about: "the phases of a route update" },
  experimentSettings: { to: "guides/experiments#settings", about: "the settings of an experiment" },
  mapAccess: { to: "guides/address-map#how-it-works", about: "readers of address maps" },
} as const satisfies Record<string, Topic>;

export type DocsTopic = keyof typeof docsTopics;

export function docsHref(topic: DocsTopic): string {
  return `/docs/${docsTopics[topic].to}`;
}
