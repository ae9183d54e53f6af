export { askRoutingTable } from "./ask.ts";
export { listRoutingTableAgents } from "./list-agents.ts";
