import { createExposure as exposureSpec, type Placement } from "@fairlead/domain/exposure";
import { createExposure, deleteExposure, getExposure, updateExposure } from "@fairlead/services";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { LabStage } from "./testing/lab-stage.ts";
import { setTwoClusters, type TwoClusters } from "./testing/two-clusters.ts";

// Two clusters behind one router: its second node belongs to another cluster. Agents, BGP, the kernel's next-hop group and
// connections are real.
const waiting = { timeout: 120_000, interval: 300 };
const connections = 10_000;

let clusters: TwoClusters;
let stage: LabStage;
let west: string;
beforeAll(async () => {
  clusters = await setTwoClusters("clusters");
  ({ stage, west } = clusters);
}, 400_000);
afterAll(async () => {
  await stage?.stop();
}, 60_000);

it("spreads connections over two clusters by shares, and gives the share of a dead one to the other", async () => {
  const { now, clusterId, poolId, lab, database } = stage;
  const shares = (own: number): Placement[] => [
    { clusterId, share: own },
    { clusterId: west, share: 100 - own },
  ];
  const spec = {
    ...{ clusterId, name: "shop", workload: { kind: "deployment", name: "web" }, ports: [{ port: 80 }] },
    ...{ strategy: { type: "ecmp", replicas: 1, poolId }, healthCheck: { type: "http", path: "/healthz" } },
  };
  const { id } = await createExposure(now(), exposureSpec.parse({ ...spec, placements: shares(80) }));
  const detail = () => getExposure(now(), id);
  const phase = async () => {
    const { phase, message } = await detail();
    return `${phase}: ${message}`;
  };
  const routed = async () =>
    Object.fromEntries((await detail()).clusters.map((each) => [each.clusterName, each.routedShare]));
  await expect.poll(phase, waiting).toBe("serving: Serving in demo, west.");
  const [address = "", ...more] = (await detail()).addresses;
  expect(more).toEqual([]);
  await expect.poll(() => stage.hops(address), waiting).toBe(2);
  await expect.poll(routed, waiting).toEqual({ demo: 80, west: 20 });
  expect(Math.abs((await shareOfWest(address)) - 20)).toBeLessThanOrEqual(2);

  await updateExposure(now(), id, { placements: shares(35) });
  await expect.poll(async () => (await routed()).demo, waiting).toBeCloseTo(35, 0);
  // The kernel moves idle buckets to another next hop first, and busy ones after 5 s.
  await expect.poll(() => Math.abs(bucketsOfMost(address) - 65) <= 1, waiting).toBe(true);
  expect(Math.abs((await shareOfWest(address)) - 65)).toBeLessThanOrEqual(2);

  lab("fault", "cut", "lb-2");
  await expect.poll(() => stage.hops(address), waiting).toBe(1);
  expect(await shareOfWest(address)).toBe(0);
  await expect.poll(phase, waiting).toMatch(/^degraded: Serving in demo/);
  await expect.poll(routed, waiting).toEqual({ demo: 100, west: 0 });
  // A cluster that is down doesn't prevent that shares are moved away from it.
  await updateExposure(now(), id, { placements: shares(90) });
  lab("fault", "restore", "lb-2");
  await expect.poll(phase, waiting).toBe("serving: Serving in demo, west.");
  await expect.poll(() => stage.hops(address), waiting).toBe(2);

  await updateExposure(now(), id, { placements: [] });
  await expect.poll(() => stage.hops(address), waiting).toBe(1);
  await expect.poll(() => database.db.loadBalancer.count({ where: { exposureId: id } }), waiting).toBe(1);
  expect(await shareOfWest(address)).toBe(0);
  expect((await detail()).clusters).toEqual([]);
  await deleteExposure(now(), id);
  await expect.poll(() => stage.hops(address), waiting).toBe(0);
  await expect.poll(() => database.db.exposure.count({ where: { id } }), waiting).toBe(0);
}, 900_000);

it("lets a cluster stand by, which gets all connections while the other one fails", async () => {
  const { now, clusterId, poolId, lab, database } = stage;
  const placements: Placement[] = [
    { clusterId, share: 100 },
    { clusterId: west, share: 0 },
  ];
  const spec = {
    ...{ clusterId, name: "spare", workload: { kind: "deployment", name: "web" }, ports: [{ port: 80 }] },
    ...{ strategy: { type: "ecmp", replicas: 1, poolId }, healthCheck: { type: "http", path: "/healthz" } },
  };
  const { id } = await createExposure(now(), exposureSpec.parse({ ...spec, placements }));
  const state = async () => (await getExposure(now(), id)).message;
  await expect.poll(state, waiting).toBe("Serving in demo. west stands by.");
  const [address = ""] = (await getExposure(now(), id)).addresses;
  await expect.poll(() => stage.hops(address), waiting).toBe(1);
  expect(await shareOfWest(address)).toBe(0);

  const seen = async () => stage.lab("exec", "router", "ip", "route", "show", address);
  const before = await seen();
  lab("fault", "cut", "lb-1");
  await expect.poll(async () => (await seen()) !== before && (await stage.hops(address)) === 1, waiting).toBe(true);
  expect(await shareOfWest(address)).toBe(100);
  await expect.poll(state, waiting).toMatch(/^Serving in west\. demo: .* Its share goes to the others\.$/);
  lab("fault", "restore", "lb-1");
  await expect.poll(state, waiting).toBe("Serving in demo. west stands by.");
  await expect.poll(() => shareOfWest(address), waiting).toBe(0);

  await deleteExposure(now(), id);
  await expect.poll(() => database.db.exposure.count({ where: { id } }), waiting).toBe(0);
}, 600_000);

/** bucketsOfMost returns how many of 100 buckets of an address lead to its most used next hop in the router's kernel. */
function bucketsOfMost(address: string): number {
  const [, group] = /nhid (\d+)/.exec(stage.lab("exec", "router", "ip", "route", "show", address)) ?? [];
  const shown = stage.lab("exec", "router", "ip", "nexthop", "bucket", "show", "id", String(group));
  const hops = [...shown.matchAll(/ nhid (\d+)/g)].map((each) => each[1]);
  const counts = [...Map.groupBy(hops, (each) => each).values()].map((each) => each.length);
  return (Math.max(...counts) / hops.length) * 100;
}

/** shareOfWest opens connections, one request each, and returns how many of 100 the pods of the second cluster answered. */
async function shareOfWest(address: string): Promise<number> {
  const pods = await stage.database.db.instance.findMany({ where: { clusterId: west }, select: { name: true } });
  const there = pods.map((each) => each.name);
  const { answers, errors } = (await stage.runFrom("near", visiting(address))) as {
    answers: Record<string, number>;
    errors: string[];
  };
  expect(errors).toEqual([]);
  const of = (isCounted: (pod: string) => boolean) =>
    Object.entries(answers).reduce((sum, [pod, count]) => sum + (isCounted(pod) ? count : 0), 0);
  expect(of(() => true)).toBe(connections);
  return (of((pod) => there.includes(pod)) / connections) * 100;
}

function visiting(address: string): string {
  return `
    import http from "node:http";
    const answers = {}, errors = [];
    const visit = () => new Promise((resolve) => {
      const request = http.get({ host: "${address}", port: 80, agent: false, timeout: 20_000 }, (response) => {
        let text = "";
        response.on("data", (data) => { text += data; }).on("end", () => {
          answers[text.trim()] = (answers[text.trim()] ?? 0) + 1;
          resolve();
        });
      });
      request.on("timeout", () => request.destroy(new Error("no answer within 20 s")));
      request.on("error", ({ message }) => { errors.push(message); resolve(); });
    });
    let left = ${connections};
    await Promise.all(Array.from({ length: 16 }, async () => { while (left-- > 0) await visit(); }));
    console.log(JSON.stringify({ answers, errors: errors.slice(0, 5) }));`;
}
