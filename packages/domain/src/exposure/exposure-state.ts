import type { ClusterKind } from "../cluster/cluster.ts";
import type { Backend, LoadBalancer, LoadBalancerPhase } from "../load-balancer/load-balancer.ts";
import type { ReplicaRole } from "../load-balancer/load-balancer-states.ts";
import type { NewCondition } from "./condition.ts";
import type { Protocol } from "./exposed-port.ts";
import type { Exposure } from "./exposure.ts";

/** DesiredExposure is the complete desired state of an exposure for a driver. It is always set as a whole. */
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
  /** If set, everything of it must be removed. */
  deletedAt: Date | null;
  /** Whether a driver was ever called to create it, so there may be something to remove. */
  applied: boolean;
  loadBalancers: DesiredLoadBalancer[];
};

export type DesiredLoadBalancer = {
  id: string;
  name: string;
  /** Another cluster that the exposure spans, if it runs there: it has the address of the first one. */
  elsewhere?: DesiredExposure["cluster"];
  /** Its cluster gets connections only while the others fail. */
  standsBy?: true;
  kind: LoadBalancer["kind"];
  instance: string | null;
  /** Since when its instance is gone, while its address is kept for it; null while the instance exists. */
  instanceGoneAt: Date | null;
  address: string | null;
  deletedAt: Date | null;
  replicas: DesiredReplica[];
};

export type DesiredReplica = {
  id: string;
  role: ReplicaRole;
  ordinal: number;
  nodeId: string | null;
  agentId: string | null;
};

/** ObservedExposure is the complete result of one reconciliation. An omitted load balancer keeps its last observed state. */
export type ObservedExposure = {
  /** The generation that was reconciled. */
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
  /** Its address, from our pool or the provider. An address of our pool isn't reused while it is named here or in a mapping. */
  address: string | null;
  replicas: { id: string; nodeId: string | null; ready: boolean; message: string }[];
  backends: Pick<Backend, "instance" | "protocol" | "address" | "port" | "weight" | "state" | "health">[];
  mappings: ObservedMapping[];
};

export type ObservedMapping = {
  instance: string;
  /** The names of the instance's pod and its node; null if there is none, or it isn't reported. */
  pod: string | null;
  node: string | null;
  protocol: Protocol;
  internalAddress: string;
  internalPort: number;
  /** Empty until its load balancer has one. */
  externalAddress: string;
  externalPort: number;
  /** The server name (SNI) that a TLS client must send; absent if the end leads to this instance only. */
  serverName?: string | undefined;
  ready: boolean;
};
