/** The tab of a cluster's page that has each of its settings. The name of the setting is its anchor. */
const tabOfSetting = {
  tokens: "nodes",
  kubernetes: "kubernetes",
  routing: "routing",
  "cloud-route": "cloud",
  "cloud-metrics": "cloud",
  "runs-as": "spec",
} as const;
export type ClusterSettingName = keyof typeof tabOfSetting;

/** clusterSettingPath is where a setting of a cluster is shown and changed. */
export function clusterSettingPath(setting: ClusterSettingName, clusterId: string | null): string {
  return `/clusters/${clusterId}?tab=${tabOfSetting[setting]}#${setting}`;
}
