import type { Strategy } from "@fairlead/domain/exposure";
import {
  answersOf,
  controlPlaneAddress,
  type KubernetesObject,
  type Nodes,
  startNodes,
} from "@fairlead/drivers/kubernetes-testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBalancerPods } from "./testing/balancer-pods.ts";
import { type ClusterStage, setClusterStage } from "./testing/cluster-stage.ts";

const patience = { timeout: 90_000, interval: 200 };
const port = 8_080;

let nodes: Nodes;
let stage: ClusterStage;
let clusterId: string;
let poolId: string;

beforeAll(async () => {
  [nodes, stage] = await Promise.all([startNodes({ count: 3 }), setClusterStage({ names: [controlPlaneAddress] })]);
  clusterId = await stage.attach(nodes.control.kubeconfig, "fra-01");
  await nodes.control.api.create("/apis/apps/v1/namespaces/default/statefulsets", answersOf("grid", 3));
  poolId = await startBalancerPods(nodes, stage, clusterId);
}, 300_000);
afterAll(async () => {
  await stage?.stop();
  await nodes?.stop();
});

const mappingsOf = (exposureId: string) =>
  stage.database.db.addressMapping.findMany({ where: { exposureId }, orderBy: { instance: "asc" } });

async function expose(name: string, strategy: Strategy): Promise<string> {
  const workload = { namespace: "default", kind: "stateful-set" as const, name: "grid" };
  return (await stage.expose({ clusterId, name, workload, ports: [{ port, protocol: "tcp" }], strategy })).id;
}

/** ask uses a new connection, and returns null without an answer. */
const ask = (address: string) =>
  nodes.client.ask(address, port, { withinMs: 1_000 }).then(
    ({ instance }) => instance,
    () => null,
  );

async function addressOf(exposureId: string): Promise<string> {
  const { address } = await stage.database.db.virtualAddress.findFirstOrThrow({
    where: { loadBalancer: { exposureId } },
    select: { address: true },
  });
  return address.replace(/\/.*$/, "");
}

describe("balancers as pods on a cluster's nodes", () => {
  it("enrol with their Secret, as balancer and speaker of each node", async () => {
    const agentsOf = () =>
      stage.database.db.agent.findMany({
        where: { node: { clusterId, name: { startsWith: "node-" } } },
        select: { roles: true, node: { select: { name: true } } },
      });
    const spelled = async () => (await agentsOf()).map(({ roles, node }) => `${node.name} ${roles}`).sort();
    await expect.poll(spelled, patience).toEqual([1, 2, 3].flatMap((n) => [`node-${n} balancer`, `node-${n} speaker`]));
  }, 120_000);

  it("serve one address for all pods, which clients behind a router reach by BGP", async () => {
    const id = await expose("all", { type: "ecmp", replicas: 3, poolId });
    const address = await addressOf(id);
    await expect.poll(() => ask(address), patience).not.toBeNull();
    const met = new Set<string | null>();
    await expect.poll(async () => met.add(await ask(address)).size, { ...patience, interval: 20 }).toBe(3);
    expect([...met].sort()).toEqual(["grid-0", "grid-1", "grid-2"]);
  }, 180_000);

  it("serve an address for each pod, which a replaced pod keeps", async () => {
    const id = await expose("each", { type: "per-replica", addressing: "balancer", replicas: 2, poolId });
    const ready = async () => (await mappingsOf(id)).filter((each) => each.ready);
    await expect.poll(ready, patience).toHaveLength(3);
    const before = await mappingsOf(id);
    for (const { instance, externalAddress } of before) {
      await expect.poll(() => ask(externalAddress), patience).toBe(instance);
      for (let n = 0; n < 10; n++) expect(await ask(externalAddress)).toBe(instance);
    }
    const pod = "/api/v1/namespaces/default/pods/grid-1";
    await nodes.control.api.delete(pod);
    const inside = (rows: typeof before) => rows.find(({ instance }) => instance === "grid-1")?.internalAddress;
    await expect.poll(async () => inside(await ready()) ?? inside(before), patience).not.toBe(inside(before));
    const after = await mappingsOf(id);
    expect(after.map(({ externalAddress }) => externalAddress)).toEqual(before.map((each) => each.externalAddress));
    for (const { instance, externalAddress } of after)
      await expect.poll(() => ask(externalAddress), patience).toBe(instance);
  }, 240_000);

  it("keep their identity when one of their pods is replaced", async () => {
    const agentsThere = () => stage.database.db.agent.count({ where: { node: { clusterId } } });
    const count = await agentsThere();
    type Pods = { items: KubernetesObject[] };
    const path = "/api/v1/namespaces/fairlead/pods";
    const [gone] = (await nodes.control.api.get<Pods>(path)).items;
    const name = gone?.metadata.name ?? "";
    await nodes.control.api.delete(`${path}/${name}`);
    type Status = { status?: { conditions?: { type: string; status: string }[] } };
    const running = async () => {
      const { items } = await nodes.control.api.get<{ items: (KubernetesObject & Status)[] }>(path);
      return items.filter(
        ({ metadata, status }) =>
          metadata.name !== name && status?.conditions?.some((each) => each.type === "Ready" && each.status === "True"),
      ).length;
    };
    await expect.poll(running, patience).toBe(3);
    const id = await expose("later", { type: "ecmp", replicas: 3, poolId });
    const address = await addressOf(id);
    await expect.poll(() => ask(address), patience).not.toBeNull();
    expect(await agentsThere()).toBe(count);
  }, 240_000);
});
