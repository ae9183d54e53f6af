import { readFileSync } from "node:fs";
import path from "node:path";

export const root = path.resolve(import.meta.dirname, "../../../..");
export const dataFolder = path.join(process.env.E2E_DATA ?? "", "data");

/** agentPid is the process of the local agent, as the launcher wrote it down. */
export function agentPid(): number {
  const instance = JSON.parse(readFileSync(path.join(dataFolder, "instance.json"), "utf8")) as {
    children: { name: string; process: { pid: number } }[];
  };
  const agent = instance.children.find(({ name }) => name === "agent");
  if (!agent) throw new Error(`no agent runs on ${dataFolder}`);
  return agent.process.pid;
}
