import { z } from "zod";
import { exposedPort, protocol } from "../exposure/exposed-port.ts";
import { strategyType } from "../exposure/strategy.ts";
import { idOf } from "../id.ts";
import { listInput, manyOf } from "../page.ts";
import { backendHealths, backendStates, loadBalancerKinds, loadBalancerPhases } from "./load-balancer-states.ts";

export const loadBalancerPhase = z.enum(loadBalancerPhases).meta({ id: "LoadBalancerPhase" });
export type LoadBalancerPhase = z.infer<typeof loadBalancerPhase>;

export const loadBalancer = z
  .object({
    id: idOf("loadBalancer"),
    exposureId: idOf("exposure"),
    exposureName: z.string(),
    clusterId: idOf("cluster"),
    clusterName: z.string(),
    name: z.string(),
    kind: z.enum(loadBalancerKinds),
    strategy: strategyType,
    instance: z.string().nullable().describe("The instance it belongs to, when there is one balancer per instance."),
    ports: z.array(exposedPort),
    address: z.string().nullable(),
    phase: loadBalancerPhase,
    message: z.string(),
    replicasDesired: z.int(),
    replicasReady: z.int(),
    backendsUp: z.int(),
    backendsTotal: z.int(),
    observedAt: z.date().nullable(),
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
  },
  { sort: "name", direction: "asc" },
);
export type ListLoadBalancers = z.infer<typeof listLoadBalancers>;

/** What an agent of the role balancer carries packets with, and why not with something better. */
export const engineInUse = {
  engine: z.string().describe("What carries its packets; empty while that is not known."),
  engineReason: z.string(),
  refusedEngines: z.array(z.object({ engine: z.string(), reason: z.string() })),
};

export const replica = z
  .object({
    id: idOf("replica"),
    nodeId: idOf("node").nullable().describe("Where it was last seen, or is to be."),
    nodeName: z.string().nullable(),
    agentId: idOf("agent").nullable().describe("The agent of ours that carries it."),
    ready: z.boolean(),
    message: z.string(),
    ...engineInUse,
    address: z.string().describe("Its own, where a router sends packets to; empty while that is not known."),
    liveConnections: z.int().describe("Over all backends, as its agent last said."),
    observedAt: z.date().nullable(),
    reportIntervalMs: z.int().nullable().describe("How often its agent speaks."),
  })
  .meta({ id: "Replica" });
export type Replica = z.infer<typeof replica>;

export const backend = z
  .object({
    id: idOf("backend"),
    instance: z.string(),
    protocol,
    address: z.string(),
    port: z.int(),
    weight: z.int(),
    state: z.enum(backendStates),
    stateSince: z.date().nullable(),
    health: z.enum(backendHealths).describe("The worst that any replica says."),
    healthSince: z.date().nullable(),
    message: z.string().describe("What the last failed check said."),
    liveConnections: z.int().describe("Over all replicas."),
    observedAt: z.date(),
  })
  .meta({ id: "Backend" });
export type Backend = z.infer<typeof backend>;

export const loadBalancerDetail = loadBalancer
  .extend({ replicas: z.array(replica), backends: z.array(backend) })
  .meta({ id: "LoadBalancerDetail" });
export type LoadBalancerDetail = z.infer<typeof loadBalancerDetail>;
