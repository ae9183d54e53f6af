import type { ClusterKind } from "@fairlead/domain/cluster";

export const clusterKindWords: Record<ClusterKind, { title: string; line: string }> = {
  kubernetes: { title: "Kubernetes", line: "A Kubernetes cluster. Its workloads are read from its API." },
  lab: { title: "Lab", line: "A lab data centre in network namespaces on one machine." },
  machines: { title: "Machines", line: "Machines that run agents, without Kubernetes." },
};
