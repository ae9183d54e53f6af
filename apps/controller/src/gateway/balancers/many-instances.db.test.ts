import { mostInstances } from "@fairlead/domain/exposure";
import { expect, it, vi } from "vitest";
import { type BalancerFixture, type BalancerStage, onBalancerStage } from "../testing/balancer-stage.ts";
import { withPool } from "../testing/instance-fixture.ts";
import { pod } from "../testing/test-balancer.ts";

let stage: BalancerStage;
let fixture: BalancerFixture;
onBalancerStage((ours, entered) => {
  stage = ours;
  fixture = entered;
});

const instances = Array.from({ length: mostInstances }, (_, at) =>
  pod(at, { addresses: [`10.8.${at >> 8}.${at & 255}`] }),
);

it("gives each of the maximum number of instances an address, and follows one that moves", async () => {
  const on = await withPool(stage, fixture);
  await fixture.join(2);
  await on.runs(...instances);
  const { id: exposureId } = await on.expose({ poolId: await on.pool("large", "10.64.0.0/20") });
  const { loadBalancer, addressMapping } = stage.database.db;
  const soon = { timeout: 150_000, interval: 200 };
  await vi.waitFor(async () => {
    expect(await addressMapping.count({ where: { exposureId, ready: true } })).toBe(instances.length);
    expect(await loadBalancer.count({ where: { exposureId, status: { phase: "serving" } } })).toBe(instances.length);
  }, soon);
  const external = await addressMapping.findMany({ where: { exposureId }, distinct: ["externalAddress"] });
  expect(external).toHaveLength(instances.length);

  const moved = pod(7, { addresses: ["10.9.0.1"] });
  const before = await addressMapping.findFirst({ where: { exposureId, instance: moved.name } });
  await on.runs(...instances.map((each) => (each.name === moved.name ? moved : each)));
  await vi.waitFor(async () => {
    const after = await addressMapping.findFirst({ where: { exposureId, instance: moved.name } });
    expect(after).toMatchObject({ internalAddress: "10.9.0.1", externalAddress: before?.externalAddress });
  }, soon);
}, 330_000);
