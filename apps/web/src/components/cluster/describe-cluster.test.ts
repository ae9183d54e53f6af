import type { Cluster } from "@fairlead/domain/cluster";
import { expect, it } from "vitest";
import { describeCluster } from "./describe-cluster.ts";

const at = new Date("2026-11-20T12:00:00Z");
const cluster = (nodeCount: number, silentNodeCount: number, exposureCount: number): Cluster => ({
  id: "clu_1",
  name: "local",
  kind: "machines",
  region: "",
  labels: {},
  routing: null,
  cloudRoute: null,
  cloudMetrics: null,
  kubernetes: null,
  runsAs: null,
  generation: 1,
  nodeCount,
  silentNodeCount,
  exposureCount,
  loadBalancerCount: 0,
  createdAt: at,
  updatedAt: at,
});

it.each([
  [0, 0, 0, "No nodes yet. No workload is exposed."],
  [1, 0, 1, "No node is silent. One workload is exposed."],
  [1, 1, 0, "Its only node is silent. No workload is exposed."],
  [3, 1, 2, "1 of 3 nodes is silent. 2 workloads are exposed."],
  [3, 3, 2, "All 3 nodes are silent. 2 workloads are exposed."],
])("describes %i nodes, %i of them silent, with %i exposures", (nodes, silent, exposures, want) => {
  expect(describeCluster(cluster(nodes, silent, exposures))).toBe(want);
});
