export { listEvents } from "./list.ts";
