import path from "node:path";
import { answerImage, type Nodes } from "@fairlead/drivers/kubernetes-testing";
import { type AgentSet, addAgentImage, startAgentPods } from "./agent-pods.ts";
import type { ClusterStage } from "./cluster-stage.ts";

export const adaptiveApp = "fairlead-adaptive";
export const shop = "shop";
export const shopPort = 8_080;
const apps = "/apis/apps/v1/namespaces/default/deployments";
/** For longer than every node needs to learn that a pod is being deleted. */
const lastSeconds = 10;

/**
 * startAdaptivePods runs an agent of the role adaptive on each node, with the manifest of the guide. It returns its DaemonSet. With
 * seesLimit, agents read the CPU limit of the node's pods, also where cgroups of version 1 have it.
 */
export async function startAdaptivePods(
  nodes: Nodes,
  stage: ClusterStage,
  clusterId: string,
  { seesLimit = false } = {},
): Promise<AgentSet> {
  await addAgentImage(nodes);
  nodes.lead(stage.port);
  // All nodes share the machine's kernel, so each agent gets the cgroup of its node instead of the root.
  const below = path.relative("/sys/fs/cgroup", nodes.cgroups);
  return startAgentPods(nodes, stage, clusterId, "adaptive", ({ spec }) => {
    const [container] = spec.template.spec.containers;
    container.args = container.args.map((each) =>
      each.startsWith("--cgroup=") ? `${each}/${below}/$(FAIRLEAD_NODE)` : each,
    );
    if (seesLimit) container.args.push(`--cpu-cgroup=/host/cgroup/${limitOf(nodes)}`);
  });
}

/** limitOf returns the cgroup with the CPU limit of the node that a pod is on. */
function limitOf(nodes: Nodes): string {
  const [first = ""] = nodes.names;
  return nodes.cpuFolders(first).limit.replace(first, "$(FAIRLEAD_NODE)");
}

/** deployShop creates a Deployment on each node, whose pods return their names, and one Service of all of them. */
export async function deployShop(nodes: Nodes): Promise<void> {
  const { api } = nodes.control;
  for (const node of nodes.names) await api.create(apps, shopOn(node));
  await api.create("/api/v1/namespaces/default/services", {
    metadata: { name: shop },
    spec: { selector: { app: shop }, ports: [{ port: 80, targetPort: shopPort }] },
  });
}

/** scaleShop sets the number of pods on a node. */
export async function scaleShop(nodes: Nodes, node: string, replicas: number): Promise<void> {
  await nodes.control.api.merge(`${apps}/${shop}-${node}`, { spec: { replicas } });
}

function shopOn(node: string): object {
  const labels = { app: shop, on: node };
  const container = {
    ...{ name: "answer", image: answerImage, imagePullPolicy: "Never", ports: [{ containerPort: shopPort }] },
    readinessProbe: { tcpSocket: { port: shopPort }, periodSeconds: 1 },
    resources: { requests: { cpu: "100m" } },
    lifecycle: { preStop: { sleep: { seconds: lastSeconds } } },
  };
  const spec = {
    ...{ nodeSelector: { "kubernetes.io/hostname": node }, terminationGracePeriodSeconds: lastSeconds + 5 },
    ...{ automountServiceAccountToken: false, enableServiceLinks: false, containers: [container] },
  };
  return {
    metadata: { name: `${shop}-${node}` },
    spec: { replicas: 1, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  };
}
