export { connect, type KubernetesApi, type RequestOptions } from "./api.ts";
export { checkPermissions } from "./check-permissions.ts";
export { KubernetesError } from "./error.ts";
export { explainKubernetesError } from "./explain-error.ts";
export { type InCluster, inClusterFolder } from "./in-cluster.ts";
export { KubernetesRefused } from "./kubernetes-refused.ts";
export { readVersion } from "./read-version.ts";
