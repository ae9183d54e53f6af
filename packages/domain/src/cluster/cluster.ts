import { z } from "zod";
import { cloudMetrics, updateCloudMetrics } from "../cloud/cloud-metrics.ts";
import { cloudRoute, updateCloudRoute } from "../cloud/cloud-route.ts";
import { runsAs } from "../cost/meter/runs-as.ts";
import { idOf } from "../id.ts";
import { attachKubernetes, shownKubernetes } from "../kubernetes/kubernetes-access.ts";
import { labels, objectName } from "../object-name.ts";
import { listInput, manyOf } from "../page.ts";
import { plainText } from "../plain-text.ts";
import { shownClusterRouting, updateClusterRouting } from "../routing/cluster-routing.ts";
import { clusterKinds } from "./cluster-kinds.ts";

/** A kubernetes cluster, a lab of network namespaces, or plain machines that run agents. */
export const clusterKind = z.enum(clusterKinds).meta({ id: "ClusterKind" });
export type ClusterKind = z.infer<typeof clusterKind>;

export const createCluster = z
  .strictObject({
    name: objectName,
    kind: clusterKind,
    region: plainText(63).default("").describe("Where it runs, in the words of its provider."),
    labels: labels.default({}),
    kubernetes: attachKubernetes
      .nullable()
      .optional()
      .describe("How its API is reached, if it is a Kubernetes cluster; it may be given later."),
  })
  .meta({ id: "CreateCluster" });
export type CreateCluster = z.infer<typeof createCluster>;

export const updateCluster = z
  .strictObject({
    name: objectName,
    region: plainText(63),
    labels,
    routing: updateClusterRouting.nullable().describe("What is told to routers by BGP; null for nothing."),
    cloudRoute: updateCloudRoute
      .nullable()
      .describe("How a cloud brings addresses to replicas, where there is no BGP; null for not at all."),
    kubernetes: attachKubernetes
      .nullable()
      .describe("How its API is reached, if it is a Kubernetes cluster; null to reach it no more."),
    runsAs: runsAs.nullable().describe("As what its balancers are paid; null where nobody says."),
    cloudMetrics: updateCloudMetrics
      .nullable()
      .describe("Where a cloud tells what the load balancers measured that it runs; null where it isn't asked."),
  })
  .partial()
  .meta({ id: "UpdateCluster" });
export type UpdateCluster = z.infer<typeof updateCluster>;

export const cluster = z
  .object({
    id: idOf("cluster"),
    name: z.string(),
    kind: clusterKind,
    region: z.string(),
    labels,
    routing: shownClusterRouting.nullable(),
    cloudRoute: cloudRoute.nullable(),
    kubernetes: shownKubernetes.nullable().describe("null for a cluster whose API isn't asked."),
    runsAs: runsAs.nullable().describe("As what its balancers are paid; null where nobody says."),
    cloudMetrics: cloudMetrics
      .nullable()
      .describe("Where a cloud tells what its load balancers measured, if it is asked."),
    generation: z.int(),
    nodeCount: z.int(),
    silentNodeCount: z.int(),
    exposureCount: z.int(),
    loadBalancerCount: z.int(),
    createdAt: z.date(),
    updatedAt: z.date(),
  })
  .meta({ id: "Cluster" });
export type Cluster = z.infer<typeof cluster>;

export const listClusters = listInput(
  ["name", "kind", "region", "createdAt"],
  { kind: manyOf(clusterKind) },
  { sort: "name", direction: "asc" },
);
export type ListClusters = z.infer<typeof listClusters>;
