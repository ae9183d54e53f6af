export { listRoutingTableAgents } from "./list-agents.ts";
export { queryRoutingTable } from "./query.ts";
