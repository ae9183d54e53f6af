import type { ClusterKind } from "@fairlead/domain";

export const clusterKindWords: Record<ClusterKind, { title: string; line: string }> = {
  kubernetes: { title: "Kubernetes", line: "A Kubernetes cluster; its workloads are read from its API." },
  lab: { title: "Lab", line: "A datacentre of network namespaces on one machine." },
  machines: { title: "Machines", line: "Plain machines that run agents." },
};
