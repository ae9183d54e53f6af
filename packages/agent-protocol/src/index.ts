// The agent protocol as TypeScript: everything generated from proto/, remade by `npm run generate`.
export * from "./generated/fairlead/agent/v1/agent_pb.js";
