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
    region: plainText(63).default("").describe("The region, by its provider's name."),
    labels: labels.default({}),
    kubernetes: attachKubernetes
      .nullable()
      .optional()
      .describe("Access to its API, if it is a Kubernetes cluster. It can be added later."),
  })
  .meta({ id: "CreateCluster" });
export type CreateCluster = z.infer<typeof createCluster>;

export const updateCluster = z
  .strictObject({
    name: objectName,
    region: plainText(63),
    labels,
    routing: updateClusterRouting.nullable().describe("What is announced to routers by BGP; null for nothing."),
    cloudRoute: updateCloudRoute
      .nullable()
      .describe("How a cloud routes addresses to replicas, without BGP; null for not at all."),
    kubernetes: attachKubernetes
      .nullable()
      .describe("Access to its API, if it is a Kubernetes cluster; null to remove it."),
    runsAs: runsAs.nullable().describe("How its balancers are billed; null if not set."),
    cloudMetrics: updateCloudMetrics
      .nullable()
      .describe("Where to read the metrics of its cloud load balancers; null to not read them."),
  })
  .partial()
  .meta({ id: "UpdateCluster" });
export type UpdateCluster = z.infer<typeof updateCluster>;

export const deleteCluster = z.strictObject({
  id: idOf("cluster"),
  forgetCloudAddresses: z
    .boolean()
    .optional()
    .describe(
      "Deletes the cluster although a cloud still has its addresses, for example because the credentials no longer work. They stay there until they are removed by hand; the audit log lists them.",
    ),
});
export type DeleteCluster = z.infer<typeof deleteCluster>;

export const cluster = z
  .object({
    id: idOf("cluster"),
    name: z.string(),
    kind: clusterKind,
    region: z.string(),
    labels,
    routing: shownClusterRouting.nullable(),
    cloudRoute: cloudRoute.nullable(),
    kubernetes: shownKubernetes.nullable().describe("null for a cluster without API access."),
    runsAs: runsAs.nullable().describe("How its balancers are billed; null if not set."),
    cloudMetrics: cloudMetrics
      .nullable()
      .describe("Where the metrics of its cloud load balancers are read; null if they aren't."),
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
