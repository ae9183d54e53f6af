// What only the agent gateway and the meters use. Kept out of the package's main entry, so that the web never loads it.
export * from "../authority/index.ts";
export { agentChannel, manyAgents, notifyAgents } from "./notify-agents.sql.ts";
