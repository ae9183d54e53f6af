export { queryRoutingTable } from "./ask.ts";
export { listRoutingTableAgents } from "./list-agents.ts";
