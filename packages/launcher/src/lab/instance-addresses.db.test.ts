import { createExposure as exposureSpec } from "@fairlead/domain/exposure";
import { createExposure, deleteExposure } from "@fairlead/services";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LabStage, setLabStage } from "./testing/lab-stage.ts";

const waiting = { timeout: 90_000, interval: 100 };

let stage: LabStage;
beforeAll(async () => {
  const withoutTraffic = (topology: string) => topology.replaceAll(/^ +(traffic:|- {service:.*)\n/gm, "");
  stage = await setLabStage("instances", withoutTraffic);
}, 300_000);
afterAll(() => stage?.stop(), 60_000);

describe("a Fairlead load balancer for each pod of a lab", () => {
  it("serves each pod at its own address by BGP and ECMP, and keeps the address when the pod is replaced", async () => {
    const { clusterId, poolId, database, lab, now } = stage;
    const spec = exposureSpec.parse({
      clusterId,
      name: "each",
      workload: { kind: "deployment", name: "web" },
      ports: [{ port: 80 }],
      strategy: { type: "per-replica", addressing: "balancer", replicas: 2, poolId },
    });
    const { id } = await createExposure(now(), spec);
    const three = ["web-1", "web-2", "web-3"];
    await expect.poll(async () => Object.keys(await pairs(id, true)), waiting).toEqual(three);
    const first = await pairs(id);
    expect(new Set(Object.values(first)).size).toBe(3);
    await expectAnswers(first);

    lab("fault", "remove", "pod", "web-3");
    await expect.poll(async () => Object.keys(await pairs(id)), waiting).toEqual(["web-1", "web-2"]);
    lab("fault", "add", "pod", "web");
    await expect.poll(async () => Object.keys(await pairs(id, true)), waiting).toEqual(three);
    expect(await pairs(id)).toEqual(first);
    await expectAnswers(first);

    await deleteExposure(now(), id);
    await expect.poll(() => database.db.virtualAddress.count({ where: { poolId } }), waiting).toBe(1);
  }, 400_000);
});

/** pairs maps the instances of the address map, or only the ready ones, to their addresses. */
async function pairs(exposureId: string, isReady?: true): Promise<Record<string, string>> {
  const where = { exposureId, ...(isReady ? { ready: true } : {}) };
  const rows = await stage.database.db.addressMapping.findMany({ where, orderBy: { instance: "asc" } });
  return Object.fromEntries(rows.map((each) => [each.instance, each.externalAddress]));
}

/** expectAnswers waits until the router uses both balancers for each address, then sends requests to each over new connections. */
async function expectAnswers(wanted: Record<string, string>): Promise<void> {
  const addresses = Object.values(wanted);
  await expect
    .poll(() => addresses.map((address) => stage.hops(address)), { ...waiting, interval: 500 })
    .toEqual(addresses.map(() => 2));
  const ask = `
    const found = {};
    for (const address of ${JSON.stringify(addresses)}) {
      const names = new Set();
      for (let i = 0; i < 20; i++) {
        const answer = await fetch("http://" + address + "/", { headers: { connection: "close" } });
        names.add((await answer.text()).trim());
      }
      found[address] = [...names];
    }
    console.log(JSON.stringify(found));`;
  const expected = Object.fromEntries(Object.entries(wanted).map(([who, where]) => [where, [who]]));
  expect(stage.askFrom("near", ask)).toEqual(expected);
}
