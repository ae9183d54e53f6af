import { viewSource } from "@fairlead/db";
import { agent } from "@fairlead/domain/node";

export const agentSource = viewSource("agent_view", agent);
