import { setTimeout as sleep } from "node:timers/promises";
import type { Strategy } from "@fairlead/domain/exposure";
import {
  answersOf,
  clientAddress,
  type KubernetesObject,
  type Nodes,
  startMetallb,
  startNodes,
} from "@fairlead/drivers/kubernetes-testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ClusterStage, setClusterStage } from "./testing/cluster-stage.ts";

const patience = { timeout: 60_000, interval: 100 };
/** The control plane's grace time for a node, plus time to notice and report. */
const graceMs = 20_000 + 10_000;
const port = 8_080;
const both = [
  { port, protocol: "tcp" as const },
  { port, protocol: "udp" as const },
];
type Mapping = Awaited<ReturnType<typeof mappingsOf>>[number];

let nodes: Nodes;
let stage: ClusterStage;
let clusterId: string;

beforeAll(async () => {
  [nodes, stage] = await Promise.all([startNodes({ count: 3 }), setClusterStage()]);
  clusterId = await stage.attach(nodes.control.kubeconfig, "fra-01");
  await nodes.control.api.create(`${apps}/statefulsets`, answersOf("grid", 3));
  await startMetallb(nodes);
});
afterAll(async () => {
  await stage?.stop();
  await nodes?.stop();
});

const apps = "/apis/apps/v1/namespaces/default";

const mappingsOf = (exposureId: string) =>
  stage.database.db.addressMapping.findMany({
    where: { exposureId },
    orderBy: [{ instance: "asc" }, { protocol: "asc" }],
  });

/** expose returns the map once it contains all ports of the three instances. */
async function expose(name: string, strategy: Strategy, ports = both): Promise<{ id: string; map: Mapping[] }> {
  const workload = { namespace: "default", kind: "stateful-set" as const, name: "grid" };
  const { id } = await stage.expose({ clusterId, name, workload, ports, strategy });
  const ready = async () => (await mappingsOf(id)).filter((each) => each.ready && each.externalAddress);
  await expect.poll(ready, patience).toHaveLength(3 * ports.length);
  return { id, map: await mappingsOf(id) };
}

const ask = ({ externalAddress, externalPort, protocol }: Mapping, options: { withinMs?: number } = {}) =>
  nodes.client.ask(externalAddress, externalPort, { protocol: protocol === "udp" ? "udp" : "tcp", ...options });

/** leads checks repeatedly that an endpoint leads to its instance, and never to another one. */
async function leads(each: Mapping, times = 5): Promise<void> {
  // The map and the data path are updated separately, in any order.
  await expect.poll(async () => (await ask(each)).instance, patience).toBe(each.instance);
  for (let i = 0; i < times; i++) expect((await ask(each)).instance).toBe(each.instance);
}

/**
 * answersForLong returns which instances an endpoint leads to within three seconds. It throws if a connection is reset, as
 * those are that are open while MetalLB moves an address.
 */
async function answersForLong(each: Mapping): Promise<string[]> {
  const met = new Set<string>();
  for (let i = 0; i < 15; i++) {
    met.add((await ask(each)).instance);
    await sleep(200);
  }
  return [...met];
}

describe("each instance of a stateful set on real nodes", () => {
  it("can't be reached from outside by its own address", async () => {
    const { map } = await expose("inside", { type: "per-replica", addressing: "node-port" });
    for (const { internalAddress, internalPort } of map)
      await expect(nodes.client.ask(internalAddress, internalPort)).rejects.toThrow(/ENETUNREACH/);
  });

  it("is reached by a port of its own node, which preserves the client address, and of no other node", async () => {
    const { map } = await expose("by-node", { type: "per-replica", addressing: "node-port" });
    expect(new Set(map.map(({ externalAddress }) => externalAddress)).size).toBe(3);
    for (const each of map) {
      await leads(each);
      expect(await ask(each)).toEqual({ instance: each.instance, client: clientAddress });
    }
    // A node without the instance doesn't answer.
    const elsewhere = map.flatMap((each) =>
      map
        .filter(({ protocol, node }) => protocol === each.protocol && node !== each.node)
        .map(({ externalAddress }) => ask({ ...each, externalAddress }, { withinMs: 1_000 }).catch(String)),
    );
    expect(new Set(await Promise.all(elsewhere))).toEqual(new Set(["Error: no answer within 1000 ms"]));
  });

  it("is reached by an address of its own", async () => {
    const { map } = await expose("by-address", { type: "per-replica", addressing: "dedicated" });
    expect(new Set(map.map(({ externalAddress }) => externalAddress)).size).toBe(3);
    for (const each of map) {
      expect(each.externalPort).toBe(port);
      await leads(each);
    }
  });

  it("is reached by a port of one address", async () => {
    const { map } = await expose("by-port", { type: "per-replica", addressing: "shared-port" });
    expect(new Set(map.map(({ externalAddress }) => externalAddress)).size).toBe(1);
    expect(map.map(({ instance, externalPort }) => [instance, externalPort])).toEqual(
      [0, 1, 2].flatMap((n) => both.map(() => [`grid-${n}`, port + n])),
    );
    for (const each of map) await leads(each);
  });

  it("is reached at one shared address", async () => {
    const { map } = await expose("by-all", { type: "cloud", provider: "aws", scheme: "internal" });
    const [first] = map;
    if (!first) throw new Error("there is no map");
    expect(new Set(map.map(({ externalAddress, externalPort }) => `${externalAddress}:${externalPort}`)).size).toBe(1);
    const met = new Set<string>();
    await expect.poll(async () => met.add((await ask(first)).instance).size, patience).toBe(3);
  });

  it.each(["dedicated", "shared-port"] as const)(
    "keeps its %s endpoint when its pod is replaced",
    async (addressing) => {
      const { id, map } = await expose(`back-${addressing}`, { type: "per-replica", addressing });
      type Pod = KubernetesObject & { status: { podIP?: string } };
      const pod = "/api/v1/namespaces/default/pods/grid-1";
      const before = await nodes.control.api.get<Pod>(pod);
      await nodes.control.api.delete(pod);
      const next = () => nodes.control.api.get<Pod>(pod).catch(() => before);
      await expect.poll(async () => (await next()).metadata.uid, patience).not.toBe(before.metadata.uid);
      await expect.poll(async () => (await next()).status.podIP, patience).toEqual(expect.any(String));
      const { podIP } = (await next()).status;
      expect(podIP).not.toBe(before.status.podIP);
      const ends = (rows: readonly Mapping[]) =>
        rows.map(({ instance, internalAddress, externalAddress, externalPort, ready }) =>
          [instance, internalAddress, `${externalAddress}:${externalPort}`, ready].join(" "),
        );
      const expected = map.map((each) =>
        each.instance === "grid-1" ? { ...each, internalAddress: podIP ?? "" } : each,
      );
      await expect.poll(async () => ends(await mappingsOf(id)), patience).toEqual(ends(expected));
      for (const each of await mappingsOf(id)) await leads(each);
    },
  );

  it("is not ready in the map after its node was down for the grace time, and ready again when it is back", async () => {
    const { id, map } = await expose("away", { type: "per-replica", addressing: "dedicated" });
    const lost = map.find(({ instance }) => instance === "grid-2");
    const node = lost?.node ?? "";
    const readiness = async () => (await mappingsOf(id)).map(({ instance, ready }) => `${instance} ${ready}`);
    const others = map.filter((each) => each.node !== node);
    const expected = (isReady: boolean) =>
      map.map((each) => `${each.instance} ${isReady || others.some(({ instance }) => instance === each.instance)}`);
    await nodes.cut(node);
    try {
      const began = performance.now();
      await expect.poll(readiness, patience).toEqual(expected(false));
      expect(performance.now() - began).toBeLessThan(graceMs);
      // Also those whose address the lost node announced.
      for (const each of others) await leads(each);
    } finally {
      await nodes.mend(node);
    }
    await expect.poll(readiness, patience).toEqual(expected(true));
    await expect
      .poll(() => Promise.all(map.map(answersForLong)), patience)
      .toEqual(map.map(({ instance }) => [instance]));
    for (const each of map) await leads(each);
  });
});
