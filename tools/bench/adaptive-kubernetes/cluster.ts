import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@fairlead/db/free-port";
import { startTestServer } from "@fairlead/db/testing";
import type { AdaptiveRoute } from "@fairlead/domain/exposure";
import { controlPlaneAddress, type Nodes, startNodes } from "@fairlead/drivers/kubernetes-testing";
import { createAddressPool, getExposure } from "@fairlead/services";
import { startAdaptivePods } from "../../../apps/controller/src/clusters/testing/adaptive-pods.ts";
import { type ClusterStage, setClusterStage } from "../../../apps/controller/src/clusters/testing/cluster-stage.ts";
import { readyPods } from "../../../apps/controller/src/clusters/testing/ready-pods.ts";
import { app, createParts } from "./parts.ts";
import { limit, nodeCount, roundTripMs, serverPort } from "./plan.ts";

const patienceMs = 120_000;

export type Cluster = {
  /** Where the parts connect. */
  conductor: string;
  /** The addresses that clients connect to, by subject. */
  services: Record<string, string>;
  /** Folders with the CPU time of each node's pods. */
  pods: string[];
  /** The round trips between nodes as their agents measure them. */
  roundTripsMs: number[];
};

/** withCluster starts real nodes with a delay between them, agents, a Service, an exposure of the same pods, and all parts. */
export async function withCluster<R>(program: string, use: (cluster: Cluster) => Promise<R>): Promise<R> {
  const ending: (() => Promise<void>)[] = [];
  const starting = [startStage(ending), startCluster(program, ending)] as const;
  try {
    const [stage, nodes] = await Promise.all(starting);
    return await use(await furnish(nodes, stage, program));
  } finally {
    await Promise.allSettled(starting); // if one failed, the other may still be starting
    for (const end of ending.reverse()) await end();
  }
}

async function startStage(ending: (() => Promise<void>)[]): Promise<ClusterStage> {
  const server = await startTestServer();
  ending.push(server.stop);
  process.env.FAIRLEAD_TEST_SERVER = server.url;
  const stage = await setClusterStage({ names: [controlPlaneAddress] });
  ending.push(stage.stop);
  return stage;
}

async function startCluster(program: string, ending: (() => Promise<void>)[]): Promise<Nodes> {
  const nodes = await startNodes({ count: nodeCount, delay: { program, roundTripMs } });
  ending.push(() => nodes.stop());
  return nodes;
}

async function furnish(nodes: Nodes, stage: ClusterStage, program: string): Promise<Cluster> {
  const clusterId = await stage.attach(nodes.control.kubeconfig, "bench");
  const port = await freePort();
  nodes.lead(port);
  const [service, exposureId] = await Promise.all([
    createService(nodes),
    expose(stage, clusterId),
    createParts(nodes, program, port),
    startAdaptivePods(nodes, stage, clusterId, { seesLimit: true }),
  ]);
  await until("a ready server on each node", async () => (await readyPods(nodes, app)).length === nodes.names.length);
  const routes = await learnedRoutes(stage, exposureId);
  nodes.limitPods(limit);
  const { addresses } = await getExposure({ ...stage.ctx, now: new Date() }, exposureId);
  return {
    conductor: `127.0.0.1:${port}`,
    services: { adaptive: `${addresses[0]}:80`, "kube-proxy": `${service}:80` },
    pods: nodes.names.map((name) => path.join("/sys/fs/cgroup", nodes.cpuFolders(name).used)),
    roundTripsMs: routes
      .filter(({ fromNodeId, toNodeId }) => fromNodeId !== toNodeId)
      .map((route) => route.roundTripMs ?? 0),
  };
}

async function createService({ control }: Nodes): Promise<string> {
  type Service = { spec: { clusterIP: string } };
  const { spec } = await control.api.create<Service>("/api/v1/namespaces/default/services", {
    metadata: { name: app },
    spec: { selector: { app }, ports: [{ port: 80, targetPort: serverPort }] },
  });
  return spec.clusterIP;
}

async function expose(stage: ClusterStage, clusterId: string): Promise<string> {
  const pool = { clusterId, name: "bench", prefix: "198.51.100.0/27", note: "" };
  const { id: poolId } = await createAddressPool({ ...stage.ctx, now: new Date() }, pool);
  const { id } = await stage.expose({
    ...{ clusterId, name: app, workload: { namespace: "default", kind: "selector", selector: { app } } },
    ports: [{ port: 80, targetPort: serverPort, protocol: "tcp" }],
    strategy: { type: "adaptive", poolId },
  });
  return id;
}

/** learnedRoutes waits until the agent of each node has figures of all nodes. */
async function learnedRoutes(stage: ClusterStage, exposureId: string): Promise<AdaptiveRoute[]> {
  let routes: AdaptiveRoute[] = [];
  await until("figures of all nodes", async () => {
    const { adaptive } = await getExposure({ ...stage.ctx, now: new Date() }, exposureId);
    routes = adaptive?.routes ?? [];
    const known = routes.filter(({ byWeight, roundTripMs }) => !byWeight && roundTripMs !== null);
    return known.length === nodeCount * nodeCount;
  });
  return routes;
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + patienceMs; !(await holds()); await sleep(200))
    if (Date.now() > deadline) throw new Error(`${what}: not within ${patienceMs / 1_000} s`);
}
