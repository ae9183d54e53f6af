// The agent protocol as TypeScript, generated from proto/ by `npm run generate`.
export * from "./generated/fairlead/agent/v1/adaptive_report_pb.js";
export * from "./generated/fairlead/agent/v1/agent_pb.js";
export * from "./generated/fairlead/agent/v1/bgp_report_pb.js";
export * from "./generated/fairlead/agent/v1/config_pb.js";
export * from "./generated/fairlead/agent/v1/question_pb.js";
export * from "./generated/fairlead/agent/v1/report_pb.js";
