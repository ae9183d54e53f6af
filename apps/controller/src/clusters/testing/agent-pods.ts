import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import {
  controlPlaneAddress,
  createAll,
  type KubernetesObject,
  type Nodes,
} from "@fairlead/drivers/kubernetes-testing";
import { createEnrollmentToken } from "@fairlead/services";
import { parseAllDocuments } from "yaml";
import type { ClusterStage } from "./cluster-stage.ts";

const root = path.resolve(import.meta.dirname, "../../../../..");
export const agentImage = "example.test/fairlead-agent:1";

/** addAgentImage builds the agent, adds its image to all nodes, and returns the program. */
export async function addAgentImage(nodes: Nodes): Promise<string> {
  const binary = path.join(nodes.folder, "fairlead-agent");
  const env = { ...process.env, CGO_ENABLED: "0" };
  const build = ["build", "-trimpath", "-o", binary, "./cmd/fairlead-agent"];
  await promisify(execFile)("go", build, { cwd: path.join(root, "agents"), env });
  await nodes.addImage(agentImage, {
    files: [{ from: binary, to: "/fairlead-agent" }],
    entrypoint: ["/fairlead-agent"],
  });
  return binary;
}

export type AgentSet = KubernetesObject & {
  spec: { template: { spec: { containers: [{ args: string[]; env: object[] }] } } };
};

/**
 * startAgentPods runs an agent of a role on each node, with the manifest of its guide, and returns its DaemonSet. Nodes must have
 * the agent's image, and reach the gateway. change adapts the manifest to the test.
 */
export async function startAgentPods(
  nodes: Nodes,
  stage: ClusterStage,
  clusterId: string,
  role: "adaptive" | "backend",
  change: (set: AgentSet) => void,
): Promise<AgentSet> {
  const spec = { clusterId, reusable: true, roles: [role], expiresInMinutes: 60 };
  const { token } = await createEnrollmentToken({ ...stage.ctx, now: new Date() }, spec);
  const filled = readFileSync(path.join(root, "deploy/agent", `${role}.yaml`), "utf8")
    .replace("image: IMAGE", `image: ${agentImage}`)
    .replace("value: CONTROL_PLANE", `value: https://${controlPlaneAddress}:${stage.port}`)
    .replace("token: TOKEN", `token: ${token}`);
  const objects = parseAllDocuments(filled).map((document) => document.toJS() as KubernetesObject);
  const set = objects.find((each) => each.kind === "DaemonSet") as AgentSet;
  change(set);
  await createAll(nodes.control.api, objects);
  return set;
}
