export { type CloudRouteBox, cloudRouteBox } from "./cloud-route-box.ts";
export { createCluster } from "./create.ts";
export { deleteCluster } from "./delete.ts";
export { getCluster } from "./get.ts";
export { listClusters } from "./list.ts";
export { updateCluster } from "./update.ts";
