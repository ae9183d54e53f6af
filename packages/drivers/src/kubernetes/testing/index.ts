export { issueServer } from "./certificates.ts";
export { ControlPlane, type PolicyRule, type ServiceAccount } from "./control-plane.ts";
export type { Credential } from "./kubeconfig.ts";
export { KubernetesApi, type KubernetesObject, KubernetesRefusal, type WatchEvent } from "./kubernetes-api.ts";
export type { OwnControlPlane } from "./own-control-plane.ts";
export { sharedControlPlane } from "./shared-control-plane.ts";
export { type ControlPlaneOptions, startControlPlane } from "./start-control-plane.ts";
export { statefulSetOf, workloadOf } from "./workloads.ts";
