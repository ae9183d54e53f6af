export { listInventory } from "./list.ts";
export { forgetItems, recordItems, selectItems } from "./record.sql.ts";
