import type { LoadBalancer } from "@fairlead/domain";

export const loadBalancerSource = {
  from: "load_balancer_view",
  columns: [
    "id",
    "exposureId",
    "exposureName",
    "clusterId",
    "clusterName",
    "name",
    "kind",
    "strategy",
    "instance",
    "ports",
    "address",
    "phase",
    "message",
    "replicasDesired",
    "replicasReady",
    "backendsUp",
    "backendsTotal",
    "observedAt",
    "createdAt",
    "updatedAt",
  ] as const satisfies readonly (keyof LoadBalancer)[],
};
