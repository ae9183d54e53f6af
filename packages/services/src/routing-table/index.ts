export { askRoutingTable } from "./ask.ts";
