import { z } from "zod";
import type { Cluster } from "../cluster/cluster.ts";
import { providers } from "../cost/prices/providers.ts";
import { idOf } from "../id.ts";
import { instanceBalancerOf } from "../load-balancer/instance-balancer.ts";
import { loadBalancerKinds } from "../load-balancer/load-balancer-states.ts";
import type { CreateExposure } from "./exposure.ts";
import { describeLack, findLack, type ReachedCluster } from "./find-lack.ts";
import { namedBalancerOf } from "./named-balancer.ts";
import { replicasOutside } from "./replicas-outside.ts";
import { isSharedService } from "./strategies.ts";
import { hasEngine } from "./strategy.ts";

export const plannedLoadBalancer = z
  .object({
    name: z.string(),
    kind: z.enum(loadBalancerKinds),
    replicas: z
      .int()
      .describe("Number of balancers; 0 where a provider runs it, or only each suitable node has a replica."),
    clusterId: idOf("cluster").optional().describe("The cluster, if it is not the exposure's own."),
    poolId: z.string().nullable(),
    address: z
      .string()
      .nullable()
      .describe("Allocated when the exposure is created. Before that, the address that would be next."),
  })
  .meta({ id: "PlannedLoadBalancer" });
export type PlannedLoadBalancer = z.infer<typeof plannedLoadBalancer>;

/** What a spec would create. */
export const exposurePlan = z
  .object({
    summary: z.string(),
    loadBalancers: z.array(plannedLoadBalancer),
    perInstance: z
      .boolean()
      .describe("Whether every instance of the workload gets a load balancer, once its cluster is read."),
    warnings: z.array(z.string()),
  })
  .meta({ id: "ExposurePlan" });
export type ExposurePlan = z.infer<typeof exposurePlan>;

/**
 * planExposure returns what a spec would create. Creation follows exactly this plan. elsewhere: the other clusters that it
 * spans.
 */
export function planExposure(
  spec: Pick<CreateExposure, "name" | "strategy" | "workload">,
  cluster: ReachedCluster,
  elsewhere: readonly Pick<Cluster, "id" | "name">[] = [],
): ExposurePlan {
  const { strategy } = spec;
  const lack = findLack(cluster, strategy);
  const warnings = lack === null ? [] : [describeLack(lack, { applied: false, isDeleted: false })];
  const own = instanceBalancerOf(strategy);
  const named = namedBalancerOf(strategy);
  switch (strategy.type) {
    case "per-replica":
      if (isSharedService(strategy.addressing))
        return {
          summary: `One address for all instances of ${describeWorkload(spec.workload)}, and a port for each, with an address map.`,
          loadBalancers: [{ name: spec.name, kind: "cloud", replicas: 0, poolId: null, address: null }],
          perInstance: false,
          warnings,
        };
      if (named?.poolId) {
        if (named.replicas === 1) warnings.push(noRedundancy);
        warnings.push("Instances must speak TLS from the first byte: connections without a server name are rejected.");
        return {
          summary: `One address for all instances of ${describeWorkload(spec.workload)} on ${countReplicas(named.replicas)} of ours, distinguished by TLS server names in ${named.zone}, with an address map.`,
          loadBalancers: [
            { name: spec.name, kind: "fairlead", replicas: named.replicas, poolId: named.poolId, address: null },
          ],
          perInstance: false,
          warnings,
        };
      }
      if (own?.replicas === 1) warnings.push(noRedundancy);
      return {
        summary: own
          ? `One load balancer of ours for each instance of ${describeWorkload(spec.workload)}, on ${countReplicas(own.replicas)}, with an address of its own and an address map.`
          : `One load balancer for each instance of ${describeWorkload(spec.workload)}, with an address map.`,
        loadBalancers: [],
        perInstance: true,
        warnings,
      };
    case "adaptive": {
      const replicas = replicasOutside(strategy);
      const where = `each node of ${cluster.name} with an agent of the role adaptive`;
      if (replicas === 1) warnings.push("One balancer has no redundancy: when it stops, clients outside lose access.");
      warnings.push(
        replicas === 0
          ? "Only nodes with an agent of the role adaptive connect clients to the address. It is not announced, so clients outside the cluster don't reach it."
          : "In the cluster, only nodes with an agent of the role adaptive connect clients to the address.",
      );
      return {
        summary:
          replicas === 0
            ? `One virtual address on ${where}.`
            : `One virtual address on ${where}, and on ${countBalancers(replicas)} for clients outside.`,
        loadBalancers: [{ name: spec.name, kind: "fairlead", replicas, poolId: strategy.poolId, address: null }],
        perInstance: false,
        warnings,
      };
    }
    case "ecmp":
    case "session": {
      if (hasEngine(strategy) && strategy.proxyProtocol)
        warnings.push(
          "Every instance must expect the PROXY protocol: others would read its header as data from the client.",
        );
      if (strategy.type === "session")
        warnings.push(
          "Their nodes need an agent of the role backend, which adds the service address to each instance. Instances of other nodes get no new connections; if no node has one, clients don't return by TLS session.",
        );
      if (strategy.type === "session" && strategy.ticketKeys?.secret)
        warnings.push(
          `Ticket keys are written into the Secret ${spec.workload.namespace}/${strategy.ticketKeys.secret}, which needs a Role for Fairlead there: pods must mount it at ${strategy.ticketKeys.folder} before clients can return by ticket.`,
        );
      else if (strategy.type === "session" && strategy.ticketKeys)
        warnings.push(
          `Agents write the ticket keys into ${strategy.ticketKeys.folder} on the node of each instance: its server must read them there before clients can return by ticket.`,
        );
      if (strategy.replicas === 1) warnings.push(noRedundancy);
      const loadBalancers = [
        {
          name: spec.name,
          kind: "fairlead" as const,
          replicas: strategy.replicas,
          poolId: strategy.poolId,
          address: null,
        },
        ...elsewhere.map(({ id, name }) => ({
          ...{ name: `${spec.name}-${name}`, kind: "fairlead" as const, replicas: strategy.replicas },
          ...{ clusterId: id, poolId: null, address: null },
        })),
      ];
      const where = [cluster, ...elsewhere].map((each) => each.name);
      const inClusters = elsewhere.length > 0 ? `each of ${where.join(", ")}` : cluster.name;
      return {
        summary: `One virtual address on ${countReplicas(strategy.replicas)} in ${inClusters}.`,
        loadBalancers,
        perInstance: false,
        warnings,
      };
    }
    case "cloud": {
      const loadBalancers = [{ name: spec.name, kind: "cloud" as const, replicas: 0, poolId: null, address: null }];
      return {
        summary: `One ${strategy.scheme} load balancer of ${providers[strategy.provider].title}; its address comes from the provider.`,
        loadBalancers,
        perInstance: false,
        warnings,
      };
    }
    default:
      return strategy satisfies never;
  }
}

const noRedundancy = "One replica has no redundancy: when it stops, traffic stops.";

function countReplicas(count: number): string {
  return `${count} ${count === 1 ? "replica" : "replicas"}`;
}

function countBalancers(count: number): string {
  return `${count} ${count === 1 ? "balancer" : "balancers"}`;
}

export function describeWorkload(workload: CreateExposure["workload"]): string {
  if (workload.kind === "selector")
    return `the pods with ${Object.entries(workload.selector ?? {})
      .map(([key, value]) => `${key}=${value}`)
      .join(", ")}`;
  return `${workload.kind} ${workload.namespace}/${workload.name}`;
}
