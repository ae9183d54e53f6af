export { listInstances } from "./list.ts";
export { matchInstances } from "./match.sql.ts";
