export * from "./agent-roles.ts";
export * from "./freshness.ts";
export * from "./interface-pattern.ts";
export * from "./node.ts";
export * from "./node-config.ts";
export * from "./node-message.ts";
export * from "./node-states.ts";
export * from "./reported.ts";
