export { createBudget } from "./create.ts";
export { deleteBudget } from "./delete.ts";
export { getBudget } from "./get.ts";
export { listBudgets } from "./list.ts";
export { updateBudget } from "./update.ts";
