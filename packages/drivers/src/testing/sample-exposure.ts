import { newId } from "@fairlead/domain";
import type { DesiredExposure } from "@fairlead/domain/exposure";

/** sampleExposure is a complete spec with two load balancers: one with an address of ours, one with an address from the provider. */
export function sampleExposure(): DesiredExposure {
  const loadBalancer = { instance: null, instanceGoneAt: null, deletedAt: null, replicas: [] };
  return {
    id: newId("exposure"),
    organizationId: newId("organization"),
    cluster: { id: newId("cluster"), name: "fra-01", kind: "kubernetes" },
    name: "cache",
    workload: { namespace: "default", kind: "stateful-set", name: "redis" },
    ports: [{ port: 6379, protocol: "tcp" }],
    strategy: { type: "cloud", provider: "aws", scheme: "public" },
    healthCheck: null,
    labels: {},
    generation: 1,
    deletedAt: null,
    applied: false,
    loadBalancers: [
      { ...loadBalancer, id: newId("loadBalancer"), name: "cache-a", kind: "fairlead", address: "192.0.2.10" },
      { ...loadBalancer, id: newId("loadBalancer"), name: "cache-b", kind: "cloud", address: null },
    ],
  };
}
