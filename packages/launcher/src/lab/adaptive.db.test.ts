import { type AdaptiveStrategy, createExposure as exposureSpec } from "@fairlead/domain/exposure";
import { createExposure, deleteExposure, getExposure, updateExposure } from "@fairlead/services";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type LabStage, setQuietStage } from "./testing/lab-stage.ts";

// The agents of the lab's nodes, configured by the control plane, and real connections through the hooks of their cgroups.
const waiting = { timeout: 90_000, interval: 200 };

let stage: LabStage;
/** The names of the pods on each node. */
let on: Map<string, string[]>;
beforeAll(async () => {
  stage = await setQuietStage("adaptive");
  const pods = async () => {
    const where = { clusterId: stage.clusterId };
    return stage.database.db.instance.findMany({ where, orderBy: { name: "asc" } });
  };
  const names = async () => (await pods()).map((each) => each.name);
  await vi.waitFor(async () => expect(await names()).toEqual(["web-1", "web-2", "web-3"]), waiting);
  const byNode = Map.groupBy(await pods(), (each) => each.nodeName);
  on = new Map([...byNode].map(([nodeName, all]) => [nodeName, all.map((each) => each.name)]));
}, 400_000);
afterAll(async () => {
  await stage?.stop();
}, 60_000);

const namesOn = (nodeName: string): string[] => on.get(nodeName) ?? [];

async function expose(change: Partial<AdaptiveStrategy> = {}): Promise<string> {
  const { clusterId, poolId, now } = stage;
  const strategy = { type: "adaptive", poolId, drainSeconds: 1, ...change };
  const workload = { kind: "deployment", name: "web" };
  const spec = exposureSpec.parse({ clusterId, name: "shop", workload, ports: [{ port: 80 }], strategy });
  return (await createExposure(now(), spec)).id;
}

it("places connections from behind the router by the same costs, until the address is withdrawn", async () => {
  const { now, database, poolId } = stage;
  const id = await expose({ outside: { replicas: 2 } });
  const detail = () => getExposure(now(), id);
  const phase = async () => {
    const { phase, message } = await detail();
    return `${phase}: ${message}`;
  };
  await expect.poll(phase, waiting).toMatch(/^serving: /);
  const [address = ""] = (await detail()).addresses;
  await expect.poll(() => stage.hops(address), waiting).toBe(2);
  const placing = async () => (await detail()).conditions.find((each) => each.type === "ByCost")?.reason;
  await expect.poll(placing, waiting).toBe("ByCost");

  const entered = async () => {
    const all = (await detail()).adaptive?.routes ?? [];
    const sum = (routes: typeof all) => routes.reduce((total, each) => total + each.entered, 0);
    return { all: sum(all), local: sum(all.filter((each) => each.fromNodeId === each.toNodeId)) };
  };
  // Balancers of both nodes take connections, and each prefers the pods of its own. On a busy machine, the other node may be
  // faster for a moment.
  const stayed = async () => {
    const before = await entered();
    const { errors } = (await stage.runFrom("near", visiting(address))) as Visits;
    await expect.poll(async () => (await entered()).all - before.all, waiting).toBe(60);
    return { errors, isMost: (await entered()).local - before.local >= 50 };
  };
  await expect.poll(stayed, waiting).toEqual({ errors: [], isMost: true });
  const { adaptive } = await detail();
  expect(adaptive?.nodes.map((each) => [each.nodeName, each.balancerIds.length])).toEqual([
    ["node-1", 1],
    ["node-2", 1],
  ]);
  expect(adaptive?.routes.some((each) => each.byWeight)).toBe(false);
  const compared = adaptive?.decisions.find((each) => each.candidates.length === 2);
  expect(compared?.byWeight).toBe(false);
  // The speakers' probes continue, and don't count.
  const open = async () => (await detail()).adaptive?.routes.map((each) => each.open + each.enteredOpen);
  await expect.poll(async () => new Set(await open()), waiting).toEqual(new Set([0]));

  await updateExposure(now(), id, { strategy: { type: "adaptive", poolId, drainSeconds: 1 } });
  await expect.poll(() => stage.hops(address), waiting).toBe(0);
  await expect
    .poll(async () => (await detail()).replicas.map((each) => each.role), waiting)
    .toEqual(["adaptive", "adaptive"]);
  await expect.poll(phase, waiting).toMatch(/^serving: /);
  expect((await visits("node-1", address)).errors).toEqual([]);

  await updateExposure(now(), id, {
    strategy: { type: "adaptive", poolId, drainSeconds: 1, outside: { replicas: 1 } },
  });
  await expect.poll(() => stage.hops(address), waiting).toBe(1);
  await deleteExposure(now(), id);
  await expect.poll(() => stage.hops(address), waiting).toBe(0);
  await expect.poll(() => database.db.exposure.count({ where: { id } }), waiting).toBe(0);
}, 400_000);

it("answers on the client's node while a pod there can, elsewhere after that, and shows both", async () => {
  const { now, lab, database } = stage;
  const id = await expose();
  const detail = async () => {
    const { phase, message, addresses, adaptive } = await getExposure(now(), id);
    return { phase, message, address: addresses[0] ?? "", adaptive };
  };
  const phase = async () => {
    const { phase, message } = await detail();
    return `${phase}: ${message}`;
  };
  await expect.poll(phase, waiting).toMatch(/^serving: /);
  const exchanging = async () =>
    (await detail()).adaptive?.nodes.map((each) =>
      each.peers.map((peer) => peer.isExchanging && peer.roundTripMs !== null),
    );
  await expect.poll(exchanging, waiting).toEqual([[true], [true]]);

  const { address } = await detail();
  // On a busy machine, the other node may be faster for a moment.
  const visited = async () => {
    const { pods, errors } = await visits("node-1", address);
    return { pods: Object.keys(pods).sort(), errors };
  };
  await expect.poll(visited, waiting).toEqual({ pods: namesOn("node-1"), errors: [] });
  const route = async (to: string) =>
    (await detail()).adaptive?.routes.find((each) => each.fromNodeName === "node-1" && each.toNodeName === to);
  await expect.poll(async () => (await route("node-1"))?.chosen ?? 0, waiting).toBeGreaterThanOrEqual(60);
  expect(await route("node-1")).toMatchObject({ byWeight: false, costMs: expect.any(Number), roundTripMs: 0 });
  const decisions = async () => (await detail()).adaptive?.decisions ?? [];
  const local = async () => (await decisions()).find((each) => each.toNodeName === "node-1");
  await expect.poll(async () => (await local())?.fromNodeName, waiting).toBe("node-1");
  expect((await local())?.candidates.map((each) => each.nodeName).sort()).toEqual(["node-1", "node-2"]);

  for (const pod of namesOn("node-1")) lab("fault", "remove", "pod", pod);
  const gone = async () => (await getExposure(now(), id)).backends.filter((each) => each.state === "active").length;
  await expect.poll(gone, waiting).toBe(namesOn("node-2").length);
  const before = (await route("node-2"))?.chosen ?? 0;
  await expect.poll(visited, waiting).toEqual({ pods: namesOn("node-2"), errors: [] });
  await expect.poll(async () => (await route("node-2"))?.chosen ?? 0, waiting).toBeGreaterThanOrEqual(before + 60);

  await deleteExposure(now(), id);
  await expect.poll(() => database.db.exposure.count({ where: { id } }), waiting).toBe(0);
}, 400_000);

type Visits = { pods: Record<string, number>; errors: string[] };

/** visits requests a page 60 times, each with a connection of its own. */
async function visits(nodeName: string, address: string): Promise<Visits> {
  return (await stage.runFrom(nodeName, visiting(address))) as Visits;
}

function visiting(address: string): string {
  return `
    import http from "node:http";
    const visit = () => new Promise((resolve) => {
      const request = http.get({ host: "${address}", port: 80, agent: false, timeout: 10_000 }, (response) => {
        let text = "";
        response.on("data", (data) => { text += data; }).on("end", () => resolve({ pod: text.trim() }));
      });
      request.on("timeout", () => request.destroy(new Error("no answer within 10 s")));
      request.on("error", ({ message }) => resolve({ error: message }));
    });
    const all = { pods: {}, errors: [] };
    for (let i = 0; i < 60; i++) {
      const { pod, error } = await visit();
      if (error) all.errors.push(error);
      else all.pods[pod] = (all.pods[pod] ?? 0) + 1;
    }
    console.log(JSON.stringify(all));`;
}
