import path from "node:path";
import { type Nodes, scriptPod } from "@fairlead/drivers/kubernetes-testing";
import { readyPods } from "./ready-pods.ts";

export const burner = "burner";
export const burnerPort = 8_080;
/** What each pod may use. It uses all of the CPU while it burns. */
export const burnerLimits = { cpuCores: 0.2, memoryBytes: 128 * 2 ** 20 };

const apps = "/apis/apps/v1/namespaces/default/deployments";

/** deployBurners creates a Deployment with one pod on each node, whose pods can be ordered to burn CPU. */
export async function deployBurners(nodes: Nodes): Promise<void> {
  for (const node of nodes.names) await nodes.control.api.create(apps, burnerOn(node));
}

/** burn orders the pods on a node to burn CPU, or to stop. Pods that are created later don't burn. */
export async function burn(nodes: Nodes, node: string, isBurning: boolean): Promise<void> {
  for (const { address } of (await readyPods(nodes, burner)).filter((each) => each.node === node)) {
    const script = `
      const response = await fetch("http://${address}:${burnerPort}/${isBurning ? "burn" : "rest"}");
      if (!response.ok) throw new Error(await response.text());`;
    await nodes.run(node, [process.execPath, "--input-type=module", "-e", script]);
  }
}

/** autoscale creates a HorizontalPodAutoscaler for the pods of a node: one or two, by the CPU that they use. */
export async function autoscale({ control }: Nodes, node: string): Promise<void> {
  const cpu = { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 60 } } };
  await control.api.create("/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers", {
    metadata: { name: `${burner}-${node}` },
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: `${burner}-${node}` },
      ...{ minReplicas: 1, maxReplicas: 2, metrics: [cpu] },
      behavior: { scaleDown: { stabilizationWindowSeconds: 0 } },
    },
  });
}

function burnerOn(node: string): object {
  const labels = { app: burner, on: node };
  const { container, volumes } = scriptPod(path.join(import.meta.dirname, "burner-process.ts"), [String(burnerPort)]);
  const amounts = { cpu: `${burnerLimits.cpuCores * 1_000}m`, memory: String(burnerLimits.memoryBytes) };
  const own = {
    ...{ ...container, name: burner },
    readinessProbe: { tcpSocket: { port: burnerPort }, periodSeconds: 1 },
    resources: { requests: amounts, limits: amounts },
  };
  const spec = {
    ...{ nodeSelector: { "kubernetes.io/hostname": node }, terminationGracePeriodSeconds: 1 },
    ...{ automountServiceAccountToken: false, enableServiceLinks: false, containers: [own], volumes },
  };
  return {
    metadata: { name: `${burner}-${node}` },
    spec: { replicas: 1, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  };
}
