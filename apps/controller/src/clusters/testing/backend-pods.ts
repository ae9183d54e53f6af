import { readFileSync } from "node:fs";
import path from "node:path";
import {
  controlPlaneAddress,
  createAll,
  type KubernetesObject,
  type Nodes,
} from "@fairlead/drivers/kubernetes-testing";
import { createEnrollmentToken } from "@fairlead/services";
import { parseAllDocuments } from "yaml";
import { agentImage } from "./balancer-pods.ts";
import type { ClusterStage } from "./cluster-stage.ts";

const manifest = path.resolve(import.meta.dirname, "../../../../../deploy/agent/backend.yaml");
const metrics = "127.0.0.1:7448";

type DaemonSet = KubernetesObject & {
  spec: { template: { spec: { containers: { name: string; env: object[] }[] } } };
};

/** startBackendPods runs an agent of the role backend on each node, with the manifest of the guide, after startBalancerPods. */
export async function startBackendPods(nodes: Nodes, stage: ClusterStage, clusterId: string): Promise<void> {
  const spec = { clusterId, reusable: true, roles: ["backend" as const], expiresInMinutes: 60 };
  const { token } = await createEnrollmentToken({ ...stage.ctx, now: new Date() }, spec);
  const filled = readFileSync(manifest, "utf8")
    .replace("image: IMAGE", `image: ${agentImage}`)
    .replace("value: CONTROL_PLANE", `value: https://${controlPlaneAddress}:${stage.port}`)
    .replace("token: TOKEN", `token: ${token}`);
  const objects = parseAllDocuments(filled).map((document) => document.toJS() as KubernetesObject);
  for (const each of objects)
    if (each.kind === "DaemonSet")
      // The counters that the test reads.
      (each as DaemonSet).spec.template.spec.containers[0]?.env.push({
        name: "FAIRLEAD_METRICS_LISTEN",
        value: metrics,
      });
  await createAll(nodes.control.api, objects);
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
