import type { V1OwnerReference, V1ServicePort } from "@kubernetes/client-node";

/** WantedService is the desired state of a Service, without the fields that the cluster adds. */
export type WantedService = {
  apiVersion: "v1";
  kind: "Service";
  metadata: {
    name: string;
    namespace: string;
    labels: Record<string, string>;
    annotations: Record<string, string>;
    ownerReferences: V1OwnerReference[];
  };
  spec: {
    type: "LoadBalancer" | "NodePort";
    ports: (V1ServicePort & { name: string; protocol: string })[];
    selector?: Record<string, string>;
    externalTrafficPolicy: "Cluster" | "Local";
    publishNotReadyAddresses: boolean;
  };
};
