/**
 * State of a cluster's API. checking: no request yet; degraded: it responds, but denies some required permissions;
 * unreachable: no response; refused: a member must change its kubeconfig.
 */
export const kubernetesPhases = ["checking", "connected", "degraded", "unreachable", "refused"] as const;
export const kubernetesUserTypes = ["token", "certificate", "password", "in-cluster"] as const;
