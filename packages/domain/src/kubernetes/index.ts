export * from "./kubernetes-access.ts";
export * from "./kubernetes-manifest.ts";
export * from "./kubernetes-permissions.ts";
export * from "./kubernetes-phases.ts";
export { type ReadKubeconfig, readKubeconfig } from "./read-kubeconfig.ts";
