import { clusterSettingPath } from "../cluster/setting-path.ts";

/** The object of a problem. For most, the cluster is the place of the action. */
export type At = { subjectId: string; clusterId: string | null };

const inCluster = (page: string, clusterId: string | null) =>
  clusterId ? `${page}${page.includes("?") ? "&" : "?"}cluster=${clusterId}` : page;

/** The pages of the dashboard where problems are fixed. */
export const paths = {
  exposure: ({ subjectId }: At) => `/exposures/${subjectId}`,
  exposureSessions: ({ subjectId }: At) => `/exposures/${subjectId}?tab=sessions`,
  exposureConnections: ({ subjectId }: At) => `/exposures/${subjectId}?tab=connections`,
  exposureConditions: ({ subjectId }: At) => `/exposures/${subjectId}?tab=events`,
  exposureBackends: ({ subjectId }: At) => `/exposures/${subjectId}?tab=backends`,
  exposureForm: ({ subjectId }: At) => `/exposures/${subjectId}/edit`,
  cloneExposure: ({ subjectId }: At) => `/exposures/new?from=${subjectId}`,
  node: ({ subjectId }: At) => `/nodes/${subjectId}`,
  silentNodes: ({ clusterId }: At) => inCluster("/nodes?state=silent,never-seen", clusterId),
  addNode: ({ clusterId }: At) => inCluster("/nodes?add=true", clusterId),
  routing: ({ clusterId }: At) => inCluster("/routing", clusterId),
  addPool: ({ clusterId }: At) => inCluster("/address-pools?create=true", clusterId),
  kubernetes: ({ clusterId }: At) => clusterSettingPath("kubernetes", clusterId),
  cloudRoute: ({ clusterId }: At) => clusterSettingPath("cloud-route", clusterId),
  cloudMetrics: ({ clusterId }: At) => clusterSettingPath("cloud-metrics", clusterId),
  tokens: ({ clusterId }: At) => clusterSettingPath("tokens", clusterId),
  apiKeys: () => "/settings/api-keys",
  costs: ({ clusterId }: At) => inCluster("/costs/running", clusterId),
  priceRefresh: ({ subjectId }: At) => `/costs/prices?refresh=${subjectId}`,
};
