export { deleteNode } from "./delete.ts";
export { getNode } from "./get.ts";
export { getNodeChanges } from "./get-changes.ts";
export { listNodes } from "./list.ts";
export { updateNode } from "./update.ts";
