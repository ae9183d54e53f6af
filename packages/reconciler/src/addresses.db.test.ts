import { createAddressPool, createExposure, getExposure, markDirty, updateExposure } from "@fairlead/services";
import { testSpec } from "@fairlead/services/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Stage, setStage } from "./testing/stage.ts";
import { until } from "./testing/until.ts";

let stage: Stage;
beforeEach(async () => {
  stage = await setStage();
  // Our own agents carry no exposures of machines, so the driver gets these with an address of a pool.
  await stage.database.db.cluster.update({ where: { id: stage.clusterId }, data: { kind: "machines" } });
});
afterEach(() => stage.close());

const pool = (name: string, prefix: string) =>
  createAddressPool(stage.ctx, { clusterId: stage.clusterId, name, prefix, note: "" });
const from = (poolId: string) => ({ type: "ecmp" as const, replicas: 1, poolId });
const addresses = async (id: string) => (await getExposure(stage.ctx, id)).addresses;
const taken = (poolId: string) => stage.database.db.virtualAddress.count({ where: { poolId } });

describe("a former address", () => {
  it("is not reused until it is seen gone outside", async () => {
    const [first, second] = [await pool("first", "192.0.2.1/32"), await pool("second", "192.0.2.9/32")];
    await stage.loop();
    const id = await stage.expose({ strategy: from(first.id) });
    await stage.converged();

    const { promise: moving, resolve: isMoving } = Promise.withResolvers<void>();
    const { promise: release, resolve } = Promise.withResolvers<void>();
    stage.world.faults.add({ operation: "update", times: 1, onMet: isMoving, does: { type: "wait", until: release } });
    await updateExposure(stage.ctx, id, { strategy: from(second.id) });
    await moving;
    expect(await addresses(id)).toEqual(["192.0.2.9"]);
    const rival = testSpec(first, { name: "rival" });
    await expect(createExposure(stage.ctx, rival)).rejects.toMatchObject({ code: "exhausted" });

    resolve();
    await until("the address is free", async () => (await taken(first.id)) === 0);
    expect(stage.world.balancersOf(id)[0]?.address).toBe("192.0.2.9");
    expect((await createExposure(stage.ctx, rival)).addresses).toEqual(["192.0.2.1"]);
  });

  it("stays taken while the outside still uses it", async () => {
    const [first, second] = [await pool("first", "2001:db8::1/128"), await pool("second", "2001:db8::9/128")];
    await stage.loop();
    const id = await stage.expose({ strategy: from(first.id) });
    await stage.converged();
    // An outside that reports the old address, in its own spelling, regardless of the spec.
    const update = stage.world.update.bind(stage.world);
    stage.world.update = (exposureId, balancer, signal) =>
      update(exposureId, { ...balancer, address: "2001:0DB8:0::1" }, signal);
    await updateExposure(stage.ctx, id, { strategy: from(second.id) });
    await until("it was made so", async () => (await getExposure(stage.ctx, id)).observedGeneration === 2);
    expect(await taken(first.id)).toBe(1);
    stage.world.update = update;
    await markDirty(stage.database.db, "exposure", id);
    await until("the address is free", async () => (await taken(first.id)) === 0);
  });

  it("is taken again by its own balancer when the spec goes back", async () => {
    const [first, second] = [await pool("first", "192.0.2.1/32"), await pool("second", "192.0.2.9/32")];
    const loop = await stage.loop();
    const id = await stage.expose({ strategy: from(first.id) });
    await stage.converged();
    await loop.stop();
    await updateExposure(stage.ctx, id, { strategy: from(second.id) });
    await updateExposure(stage.ctx, id, { strategy: from(first.id) });
    expect(await addresses(id)).toEqual(["192.0.2.1"]);
    expect(await taken(second.id)).toBe(1);
    await stage.loop();
    await until("the other is free", async () => (await taken(second.id)) === 0);
  });

  it("of an exposure that no driver was called for is free at once, and is not requested after that", async () => {
    const [first, second] = [await pool("first", "192.0.2.1/32"), await pool("second", "192.0.2.9/32")];
    const id = await stage.expose({ strategy: from(first.id) });
    let isMoved = false;
    await stage.loop({
      async onStep(step, task) {
        if (step !== "loaded" || task.objectId !== id || isMoved) return;
        isMoved = true;
        await updateExposure(stage.ctx, id, { strategy: from(second.id) });
        expect(await taken(first.id)).toBe(0);
      },
    });
    await stage.converged();
    expect(stage.world.journal.map((each) => each.operation)).toEqual(["create"]);
    expect(stage.world.balancersOf(id)[0]?.address).toBe("192.0.2.9");
  });
});
