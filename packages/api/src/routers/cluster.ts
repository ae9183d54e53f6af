import { idOf, pageOf } from "@fairlead/domain";
import { cloudMetricsStatus } from "@fairlead/domain/cloud";
import {
  cluster,
  createCluster,
  deleteCluster,
  inventoryItem,
  listClusters,
  listInventory,
  updateCluster,
} from "@fairlead/domain/cluster";
import { instance, listInstances, matchedInstances, matchInstances } from "@fairlead/domain/instance";
import { kubeconfigPreview, kubernetesStatus, previewKubeconfig } from "@fairlead/domain/kubernetes";
import { balancerManifest, createBalancerManifest } from "@fairlead/domain/load-balancer";
import { routerConfigInput, routerConfigText } from "@fairlead/domain/routing";
import * as services from "@fairlead/services";
import { byId, expectedGeneration, nothing } from "../input.ts";
import { procedure, router } from "../trpc.ts";

const tag = "Clusters";
const id = idOf("cluster");

export const clusterRouter = router({
  list: procedure
    .meta({
      permission: "cluster:read",
      rest: { method: "GET", path: "/clusters", summary: "List clusters", tag },
    })
    .input(listClusters)
    .output(pageOf(cluster))
    .query(({ ctx, input }) => services.listClusters(ctx, input)),

  get: procedure
    .meta({
      permission: "cluster:read",
      rest: { method: "GET", path: "/clusters/{id}", summary: "Read a cluster", tag },
    })
    .input(byId(id))
    .output(cluster)
    .query(({ ctx, input }) => services.getCluster(ctx, input.id)),

  listInstances: procedure
    .meta({
      permission: "cluster:read",
      rest: {
        method: "GET",
        path: "/clusters/{clusterId}/instances",
        summary: "List the instances of workloads that run in a cluster",
        tag,
      },
    })
    .input(listInstances)
    .output(pageOf(instance))
    .query(({ ctx, input }) => services.listInstances(ctx, input)),

  matchInstances: procedure
    .meta({
      permission: "cluster:read",
      rest: {
        method: "POST",
        path: "/clusters/{clusterId}/instances/match",
        summary: "Find the instances of a workload that an exposure would have as backends",
        tag,
        example: { workload: { namespace: "shop", kind: "deployment", name: "web" } },
      },
    })
    .input(matchInstances)
    .output(matchedInstances)
    .query(({ ctx, input }) => services.matchInstances(ctx, input)),

  listInventory: procedure
    .meta({
      permission: "cluster:read",
      rest: {
        method: "GET",
        path: "/clusters/{clusterId}/inventory",
        summary: "List the nodes, workloads and unmanaged Services of a Kubernetes cluster",
        tag,
      },
    })
    .input(listInventory)
    .output(pageOf(inventoryItem))
    .query(({ ctx, input }) => services.listInventory(ctx, input)),

  writeRouterConfig: procedure
    .meta({
      permission: "cluster:read",
      rest: {
        method: "GET",
        path: "/clusters/{id}/router-config",
        summary: "Write the configuration of an external router, or of a host that announces services itself",
        tag,
      },
    })
    .input(routerConfigInput.extend({ id }))
    .output(routerConfigText)
    .query(({ ctx, input: { id, ...target } }) => services.writeRouterConfig(ctx, id, target)),

  getKubernetesStatus: procedure
    .meta({
      permission: "cluster:read",
      rest: {
        method: "GET",
        path: "/clusters/{id}/kubernetes-status",
        summary: "Read the status of a Kubernetes cluster's API, and its permissions",
        tag,
      },
    })
    .input(byId(id))
    .output(kubernetesStatus)
    .query(({ ctx, input }) => services.getKubernetesStatus(ctx, input.id)),

  getCloudMetricsStatus: procedure
    .meta({
      permission: "cluster:read",
      rest: {
        method: "GET",
        path: "/clusters/{id}/cloud-metrics-status",
        summary: "Read how far the metrics of a cluster's cloud load balancers were read",
        tag,
      },
    })
    .input(byId(id))
    .output(cloudMetricsStatus)
    .query(({ ctx, input }) => services.getCloudMetricsStatus(ctx, input.id)),

  createBalancerManifest: procedure
    .meta({
      permission: "node:write",
      rest: {
        method: "POST",
        path: "/clusters/{id}/balancer-manifest",
        summary: "Write a manifest that runs balancers as pods, with a token that enrols their nodes",
        tag,
        status: 201,
        example: { image: "registry.example.com/fairlead-agent:1.0.0", network: "node" },
      },
    })
    .input(createBalancerManifest)
    .output(balancerManifest)
    .mutation(({ ctx, input }) => services.createBalancerManifest(ctx, input)),

  previewKubeconfig: procedure
    .meta({
      permission: "cluster:write",
      rest: {
        method: "POST",
        path: "/clusters/kubeconfig/preview",
        summary: "Check a kubeconfig, without contacting its cluster or storing it",
        tag,
        example: { kubeconfig: "apiVersion: v1\nkind: Config\nclusters: …\nusers: …\ncontexts: …\n" },
      },
    })
    .input(previewKubeconfig)
    .output(kubeconfigPreview)
    .mutation(({ ctx, input }) => services.previewKubeconfig(ctx, input)),

  create: procedure
    .meta({
      permission: "cluster:write",
      rest: {
        method: "POST",
        path: "/clusters",
        summary: "Create a cluster",
        tag,
        status: 201,
        example: { name: "frankfurt-1", kind: "kubernetes", region: "eu-central-1", labels: { tier: "production" } },
      },
    })
    .input(createCluster)
    .output(cluster)
    .mutation(({ ctx, input }) => services.createCluster(ctx, input)),

  update: procedure
    .meta({
      permission: "cluster:write",
      rest: { method: "PATCH", path: "/clusters/{id}", summary: "Change a cluster", tag },
    })
    .input(updateCluster.extend({ id, expectedGeneration }))
    .output(cluster)
    .mutation(({ ctx, input: { id, expectedGeneration, ...change } }) =>
      services.updateCluster(ctx, id, change, expectedGeneration),
    ),

  delete: procedure
    .meta({
      permission: "cluster:write",
      rest: { method: "DELETE", path: "/clusters/{id}", summary: "Delete a cluster", tag, status: 204 },
    })
    .input(deleteCluster.extend({ expectedGeneration }))
    .output(nothing)
    .mutation(({ ctx, input: { id, expectedGeneration, ...how } }) =>
      services.deleteCluster(ctx, id, expectedGeneration, how),
    ),
});
