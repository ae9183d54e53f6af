import { z } from "zod";
import { exposedPort, protocol } from "../exposure/exposed-port.ts";
import { strategyType } from "../exposure/strategy.ts";
import { idOf } from "../id.ts";
import { listInput, manyOf } from "../page.ts";
import { volatile } from "../volatile.ts";
import {
  backendHealths,
  backendStates,
  loadBalancerKinds,
  loadBalancerPhases,
  replicaRoles,
} from "./load-balancer-states.ts";
import { probeTraffic } from "./probe-traffic.ts";

export const loadBalancerPhase = z.enum(loadBalancerPhases).meta({ id: "LoadBalancerPhase" });
export type LoadBalancerPhase = z.infer<typeof loadBalancerPhase>;

export const loadBalancer = z
  .object({
    id: idOf("loadBalancer"),
    exposureId: idOf("exposure"),
    exposureName: z.string(),
    exposurePausedAt: z.date().nullable().describe("Since when its exposure is paused; null if it is not paused."),
    clusterId: idOf("cluster"),
    clusterName: z.string(),
    name: z.string(),
    kind: z.enum(loadBalancerKinds),
    strategy: strategyType,
    instance: z.string().nullable().describe("The instance that it belongs to, if there is one balancer per instance."),
    ports: z.array(exposedPort),
    address: z.string().nullable().describe("null until it has one, and without the permission map:read."),
    phase: loadBalancerPhase,
    message: z.string(),
    replicasDesired: z.int(),
    replicasReady: z.int(),
    backendsUp: z.int(),
    backendsTotal: z.int(),
    observedAt: volatile(z.date().nullable()),
    createdAt: z.date(),
    updatedAt: z.date(),
  })
  .meta({ id: "LoadBalancer" });
export type LoadBalancer = z.infer<typeof loadBalancer>;

export const listLoadBalancers = listInput(
  ["name", "address", "phase", "strategy", "clusterName", "exposureName", "createdAt", "updatedAt"],
  {
    clusterId: idOf("cluster").optional(),
    exposureId: idOf("exposure").optional(),
    strategy: manyOf(strategyType),
    phase: manyOf(loadBalancerPhase),
    isServing: z.boolean().optional().describe("Whether the phase is serving."),
  },
  { sort: "name", direction: "asc" },
);
export type ListLoadBalancers = z.infer<typeof listLoadBalancers>;

/** The engine that carries packets on an agent of the role balancer, and why not a better one. */
export const engineInUse = {
  engine: z.string().describe("What carries its packets; empty if unknown."),
  engineReason: z.string(),
  refusedEngines: z.array(z.object({ engine: z.string(), reason: z.string() })),
};

export const replica = z
  .object({
    id: idOf("replica"),
    nodeId: idOf("node").nullable().describe("The node where it was last seen, or is placed."),
    nodeName: z.string().nullable(),
    agentId: idOf("agent").nullable().describe("The agent that carries it."),
    role: z
      .enum(replicaRoles)
      .describe(
        "balancer: it carries packets of clients. adaptive: it distributes the connections that start on its node, with the strategy adaptive.",
      ),
    ready: z.boolean(),
    message: z.string(),
    ...engineInUse,
    address: z.string().describe("The address to which routers send packets; empty if unknown."),
    liveConnections: volatile(z.int().describe("On all backends, by the last report of its agent.")),
    observedAt: volatile(z.date().nullable()),
    reportIntervalMs: z.int().nullable().describe("The report interval of its agent."),
    probeTraffic: probeTraffic
      .nullable()
      .describe("What its metrics include of the probes of its node's speaker; null if none, or if not known."),
  })
  .meta({ id: "Replica" });
export type Replica = z.infer<typeof replica>;

export const backend = z
  .object({
    id: idOf("backend"),
    instance: z.string(),
    protocol,
    address: z.string().nullable().describe("null without the permission map:read."),
    port: z.int(),
    weight: z.int(),
    state: z.enum(backendStates),
    stateSince: z.date().nullable(),
    health: z
      .enum(backendHealths)
      .describe("The worst health that any replica reports; unknown without a check and before the first one."),
    healthSince: z.date().nullable().describe("null without a health check, or if no replica reports it."),
    message: z
      .string()
      .describe("Why it is down: the error of its last failed check, or why a replica can't send it packets."),
    liveConnections: volatile(z.int().nullable()).describe(
      "The sum over all replicas; null with the strategy adaptive, whose agents count connections by node.",
    ),
    observedAt: volatile(z.date()),
  })
  .meta({ id: "Backend" });
export type Backend = z.infer<typeof backend>;

export const loadBalancerDetail = loadBalancer
  .extend({ replicas: z.array(replica), backends: z.array(backend) })
  .meta({ id: "LoadBalancerDetail" });
export type LoadBalancerDetail = z.infer<typeof loadBalancerDetail>;
