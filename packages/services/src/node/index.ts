export { deleteNode } from "./delete.ts";
export { getNode } from "./get.ts";
export { getNodeReported } from "./get-reported.ts";
export { listNodes } from "./list.ts";
export { updateNode } from "./update.ts";
