import { createExposure as exposureSpec } from "@fairlead/domain/exposure";
import { createExposure, deleteExposure, getExposure } from "@fairlead/services";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type LabStage, setQuietStage } from "./testing/lab-stage.ts";

// The agents of the lab's nodes, configured by the control plane, and real connections through the hooks of their cgroups.
const waiting = { timeout: 90_000, interval: 200 };

let stage: LabStage;
beforeAll(async () => {
  stage = await setQuietStage("adaptive");
}, 300_000);
afterAll(async () => {
  await stage?.stop();
}, 60_000);

it("answers on the client's node while a pod there can, elsewhere after that, and shows both", async () => {
  const { clusterId, poolId, now, lab, database } = stage;
  const pods = async () => database.db.instance.findMany({ where: { clusterId }, orderBy: { name: "asc" } });
  await expect.poll(async () => (await pods()).map((each) => each.name), waiting).toEqual(["web-1", "web-2", "web-3"]);
  const on = Map.groupBy(await pods(), (each) => each.nodeName);
  const namesOn = (nodeName: string) => (on.get(nodeName) ?? []).map((each) => each.name);

  const { id } = await createExposure(
    now(),
    exposureSpec.parse({
      ...{ clusterId, name: "shop", workload: { kind: "deployment", name: "web" }, ports: [{ port: 80 }] },
      strategy: { type: "adaptive", poolId, drainSeconds: 1 },
    }),
  );
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
  const ask = `
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
  return (await stage.runFrom(nodeName, ask)) as Visits;
}
