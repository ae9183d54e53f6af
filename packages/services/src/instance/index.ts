export { listInstances } from "./list.ts";
