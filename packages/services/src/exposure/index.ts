export { createExposure } from "./create.ts";
export { deleteExposure } from "./delete.ts";
export { getExposure } from "./get.ts";
export { listExposures } from "./list.ts";
export { planExposure } from "./plan.ts";
export { updateExposure } from "./update.ts";
