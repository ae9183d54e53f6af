import type { ClusterKind } from "../cluster/cluster.ts";
import type { Backend, LoadBalancer, LoadBalancerPhase } from "../load-balancer/load-balancer.ts";
import type { NewCondition } from "./condition.ts";
import type { Protocol } from "./exposed-port.ts";
import type { Exposure } from "./exposure.ts";

/** DesiredExposure is everything that a driver must know of one exposure, whole: it is set whole and replaced whole. */
export type DesiredExposure = {
  id: string;
  organizationId: string;
  cluster: { id: string; name: string; kind: ClusterKind };
  name: string;
  workload: Exposure["workload"];
  ports: Exposure["ports"];
  strategy: Exposure["strategy"];
  healthCheck: Exposure["healthCheck"];
  labels: Exposure["labels"];
  generation: number;
  /** Set: nothing of it may be left. */
  deletedAt: Date | null;
  /** A driver was once asked to make it, so that there may be something to remove. */
  applied: boolean;
  loadBalancers: DesiredLoadBalancer[];
};

export type DesiredLoadBalancer = {
  id: string;
  name: string;
  kind: LoadBalancer["kind"];
  instance: string | null;
  /** Since when its instance is gone, for which its address waits; null while it is there. */
  instanceGoneAt: Date | null;
  address: string | null;
  deletedAt: Date | null;
  replicas: { id: string; ordinal: number; nodeId: string | null; agentId: string | null }[];
};

/** ObservedExposure is what one reconciliation found, whole. A load balancer that it leaves out keeps what was last said of it. */
export type ObservedExposure = {
  /** The generation that was acted on. */
  generation: number;
  phase: Exclude<Exposure["phase"], "deleting">;
  message: string;
  conditions: NewCondition[];
  applied: boolean;
  loadBalancers: ObservedLoadBalancer[];
};

export type ObservedLoadBalancer = {
  id: string;
  phase: Exclude<LoadBalancerPhase, "deleting">;
  message: string;
  /** Where it answers, ours or the provider's. A former address of ours is nobody else's while it is named here or in a mapping. */
  address: string | null;
  replicas: { id: string; nodeId: string | null; ready: boolean; message: string }[];
  backends: Pick<Backend, "instance" | "protocol" | "address" | "port" | "weight" | "state" | "health">[];
  mappings: ObservedMapping[];
};

export type ObservedMapping = {
  instance: string;
  /** The names of the pod that the instance runs in and of the node below it; null where there is none, or nobody sees it. */
  pod: string | null;
  node: string | null;
  protocol: Protocol;
  internalAddress: string;
  internalPort: number;
  /** Empty until its balancer has one. */
  externalAddress: string;
  externalPort: number;
  /** What a TLS client has to ask for there; absent where the end leads to this instance alone. */
  serverName?: string | undefined;
  ready: boolean;
};
