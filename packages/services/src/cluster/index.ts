export { type CloudRouteBox, cloudRouteBox } from "./cloud-route-box.ts";
export { createCluster } from "./create.ts";
export { deleteCluster } from "./delete.ts";
export { getCluster } from "./get.ts";
export { getKubernetesStatus } from "./get-kubernetes-status.ts";
export { type KubernetesBox, kubernetesBox } from "./kubernetes-box.ts";
export { listClusters } from "./list.ts";
export { previewKubeconfig } from "./preview-kubeconfig.ts";
export { updateCluster } from "./update.ts";
