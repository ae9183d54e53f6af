import type { RapBaseline } from "@fairlead/domain/exposure";
import { controlPlaneAddress, type Nodes, startMetricsServer, startNodes } from "@fairlead/drivers/kubernetes-testing";
import { createAddressPool, getExposure } from "@fairlead/services";
import { afterAll, beforeAll, expect, it } from "vitest";
import { autoscale, burn, burner, burnerLimits, burnerPort, deployBurners } from "./testing/burning-pods.ts";
import { type ClusterStage, setClusterStage } from "./testing/cluster-stage.ts";
import { readyPods } from "./testing/ready-pods.ts";

// The real metrics-server, kubelets and autoscaler. metrics-server reads kubelets every 10 seconds.
const patience = { timeout: 90_000, interval: 500 };

let nodes: Nodes;
let stage: ClusterStage;
let exposureId: string;
let [busy, idle] = ["", ""];

beforeAll(async () => {
  [nodes, stage] = await Promise.all([startNodes({ count: 2 }), setClusterStage({ names: [controlPlaneAddress] })]);
  [busy = "", idle = ""] = nodes.names;
  const clusterId = await stage.attach(nodes.control.kubeconfig, "fra-01");
  await deployBurners(nodes);
  const now = () => ({ ...stage.ctx, now: new Date() });
  const pool = { clusterId, name: "inside", prefix: "198.51.100.0/27", note: "" };
  const { id: poolId } = await createAddressPool(now(), pool);
  const { id } = await stage.expose({
    ...{ clusterId, name: burner, workload: { namespace: "default", kind: "selector", selector: { app: burner } } },
    ports: [{ port: 80, targetPort: burnerPort, protocol: "tcp" }],
    strategy: { type: "adaptive", poolId },
  });
  exposureId = id;
}, 180_000);
afterAll(async () => {
  await stage?.stop();
  await nodes?.stop();
});

async function baseline(): Promise<RapBaseline | null> {
  const { adaptive } = await getExposure({ ...stage.ctx, now: new Date() }, exposureId);
  return adaptive?.rap ?? null;
}
const on = async (name: string) => (await baseline())?.nodes.find((each) => each.nodeName === name);

it("states that metrics-server is not installed, and the cure", async () => {
  const problem = async () => (await baseline())?.problem;
  await expect.poll(problem, patience).toMatch(/^metrics-server is not installed: .*Install metrics-server/);
});

it("shows what metrics-server measures, and that RAP would leave a node whose instances use their CPU limit", async () => {
  await expect.poll(async () => (await readyPods(nodes, burner)).length, patience).toBe(2);
  await burn(nodes, busy, true);
  await startMetricsServer(nodes);
  await expect
    .poll(() => on(busy), patience)
    .toMatchObject({ isOverloaded: true, sendsToNodeName: idle, undecided: "" });
  expect((await on(busy))?.instances?.cpuCores).toBeGreaterThanOrEqual(0.9 * burnerLimits.cpuCores);
  await expect.poll(() => on(idle), patience).toMatchObject({ isOverloaded: false, sendsToNodeName: idle });
  for (const name of [busy, idle]) {
    const { instanceCount, instances, node } = (await on(name)) ?? {};
    expect(instanceCount).toBe(1);
    expect(instances).toMatchObject({
      cpuCapacityCores: burnerLimits.cpuCores,
      memoryCapacityBytes: burnerLimits.memoryBytes,
    });
    expect(instances?.memoryBytes).toBeGreaterThan(10 * 2 ** 20);
    expect(instances?.memoryBytes).toBeLessThan(burnerLimits.memoryBytes);
    expect(instances?.windowMs).toBeGreaterThan(1_000);
    expect(Date.now() - (instances?.measuredAt.getTime() ?? 0)).toBeLessThan(60_000);
    expect(node?.cpuCores).toBeGreaterThan(0);
    expect(node?.memoryBytes).toBeGreaterThan(instances?.memoryBytes ?? Number.POSITIVE_INFINITY);
  }
}, 300_000);

it("follows an autoscaler that adds and removes instances by the same figures", async () => {
  await autoscale(nodes, busy);
  // The new instance is idle, so both together are below the threshold.
  await expect
    .poll(() => on(busy), patience)
    .toMatchObject({ instanceCount: 2, isOverloaded: false, sendsToNodeName: busy });
  await burn(nodes, busy, false);
  const left = async () => (await readyPods(nodes, burner)).filter((each) => each.node === busy).length;
  await expect.poll(left, patience).toBe(1);
}, 200_000);
