import type { Nodes } from "@fairlead/drivers/kubernetes-testing";
import { startAgentPods } from "./agent-pods.ts";
import type { ClusterStage } from "./cluster-stage.ts";

const metrics = "127.0.0.1:7448";

/** startBackendPods runs an agent of the role backend on each node, with the manifest of the guide, after startBalancerPods. */
export async function startBackendPods(nodes: Nodes, stage: ClusterStage, clusterId: string): Promise<void> {
  // The counters that the test reads.
  const env = { name: "FAIRLEAD_METRICS_LISTEN", value: metrics };
  await startAgentPods(nodes, stage, clusterId, "backend", ({ spec }) =>
    spec.template.spec.containers[0].env.push(env),
  );
}

/** companionCount returns what the companions of all nodes counted, such as accepted or refused. */
export async function companionCount(nodes: Nodes, what: string): Promise<number> {
  const script = `process.stdout.write(await (await fetch("http://${metrics}/metrics")).text())`;
  const pages = await Promise.all(
    nodes.names.map((name) => nodes.run(name, [process.execPath, "--input-type=module", "-e", script])),
  );
  const values = pages.flatMap((page) => [
    ...page.matchAll(new RegExp(`^fairlead_companion_${what}_total\\{[^}]*\\} (\\S+)$`, "gm")),
  ]);
  return values.reduce((sum, [, value]) => sum + Number(value), 0);
}
