import { createAddressPool, deleteExposure, markDirty, updateExposure } from "@fairlead/services";
import { describe, expect, it, vi } from "vitest";
import { type BalancerFixture, type BalancerStage, onBalancerStage, patience } from "../testing/balancer-stage.ts";
import { agentsOf, silence, statesOf } from "../testing/carried.ts";
import { pod, podAddress } from "../testing/test-balancer.ts";

let stage: BalancerStage;
let fixture: BalancerFixture;
onBalancerStage((ours, entered) => {
  stage = ours;
  fixture = entered;
});

describe("deleting", () => {
  it("drains connections before anything is removed from the configs, and reports it", async () => {
    const { id } = await fixture.serve(1, [pod(1), pod(2)]);
    const [balancer] = fixture.balancers;
    stage.times.drainMs = 60_000;
    await deleteExposure(fixture.now(), id);
    await vi.waitFor(
      () => expect(statesOf(balancer)).toEqual({ [podAddress(1)]: "draining", [podAddress(2)]: "draining" }),
      patience,
    );
    await balancer?.reported();
    const message = "Takes no new connections; existing ones have 1 min to finish.";
    expect((await fixture.exposure(id)).message).toBe(message);
    // A pod that is added now gets no balancer.
    await fixture.runs([pod(1), pod(2), pod(3)]);
    const { observedAt } = await fixture.exposure(id);
    await markDirty(stage.database.db, "exposure", id);
    await vi.waitFor(async () => expect((await fixture.exposure(id)).observedAt).not.toEqual(observedAt), patience);
    expect((await fixture.exposure(id)).message).toBe(message);
    expect(Object.keys(statesOf(balancer))).toHaveLength(2);

    stage.times.drainMs = 0;
    await markDirty(stage.database.db, "exposure", id);
    await vi.waitFor(() => expect(balancer?.services()).toEqual([]), patience);
    await vi.waitFor(async () => expect(await stage.database.db.exposure.count({ where: { id } })).toBe(0), patience);
  });

  it("releases its address only once no agent carries it any more", async () => {
    const { id } = await fixture.serve(2, [pod(1)]);
    const [quick, slow] = fixture.balancers;
    await slow?.hold();
    await deleteExposure(fixture.now(), id);
    await vi.waitFor(() => expect([quick?.services(), slow?.services()]).toEqual([[], []]), patience);
    await vi.waitFor(
      async () => expect((await fixture.exposure(id)).message).toBe("Leaves its replicas; waits for n2."),
      patience,
    );
    expect(await stage.database.db.virtualAddress.count({ where: { loadBalancer: { exposureId: id } } })).toBe(1);
    await slow?.release();
    await vi.waitFor(async () => expect(await stage.database.db.exposure.count({ where: { id } })).toBe(0), patience);
    expect(
      await stage.database.db.virtualAddress.count({ where: { organizationId: fixture.now().organizationId } }),
    ).toBe(0);
  });

  it.each([1, 2])(
    "does not wait for %i of 2 lost agents, and leaves their configs empty in case they return",
    async (lost) => {
      const { id } = await fixture.serve(2, [pod(1)]);
      for (const each of fixture.balancers.slice(0, lost)) {
        await each.hold();
        await silence(stage, each.agentId, 61);
      }
      await deleteExposure(fixture.now(), id);
      await vi.waitFor(async () => expect(await stage.database.db.exposure.count({ where: { id } })).toBe(0), patience);
      await vi.waitFor(() => expect(fixture.balancers.map((each) => each.services())).toEqual([[], []]), patience);
    },
  );
});

describe("after an outage of the control plane", () => {
  const backForMs = 2_000;
  const addresses = () =>
    stage.database.db.virtualAddress.count({ where: { organizationId: fixture.now().organizationId } });

  /** Two replicas whose agents could not reach us for longer than we wait for a silent agent, and spares that are connected again. */
  async function miss(spares = 0): Promise<string> {
    const { id } = await fixture.serve(2, [pod(1)]);
    await fixture.join(spares);
    for (const each of fixture.balancers.slice(0, 2)) {
      await each.hold();
      await silence(stage, each.agentId, 300);
    }
    stage.presentFor(backForMs);
    return id;
  }

  it("no replica moves before its agent had time to reconnect", async () => {
    const id = await miss(1);
    const before = await agentsOf(stage, id);
    const { observedAt } = await fixture.exposure(id);
    await markDirty(stage.database.db, "exposure", id);
    await vi.waitFor(async () => expect((await fixture.exposure(id)).observedAt).not.toEqual(observedAt), patience);
    expect(await agentsOf(stage, id)).toEqual(before);
    await vi.waitFor(async () => {
      const task = await stage.database.db.reconcileTask.findFirstOrThrow({ where: { objectId: id } });
      expect(task.lease).toBeNull();
      expect(task.dueAt.getTime() - Date.now()).toBeLessThan(60_000);
    }, patience);
  });

  it("a deleted exposure keeps its address while its agents may still serve it", async () => {
    const id = await miss();
    await deleteExposure(fixture.now(), id);
    await vi.waitFor(
      async () => expect((await fixture.exposure(id)).message).toBe("Leaves its replicas; waits for n1, n2."),
      patience,
    );
    expect(await addresses()).toBe(1);
    stage.presentFor(61_000);
    await vi.waitFor(async () => expect(await addresses()).toBe(0), patience);
  });

  it("a previous address stays reserved too", async () => {
    const id = await miss();
    const { clusterId, spec } = fixture;
    const pool = await createAddressPool(fixture.now(), {
      clusterId,
      name: "other",
      prefix: "198.51.100.0/24",
      note: "",
    });
    await updateExposure(fixture.now(), id, {
      strategy: { ...spec.strategy, poolId: pool.id } as typeof spec.strategy,
    });
    await vi.waitFor(async () => expect((await fixture.exposure(id)).observedGeneration).toBe(2), patience);
    expect(await addresses()).toBe(2);
    stage.presentFor(61_000);
    await vi.waitFor(async () => expect(await addresses()).toBe(1), patience);
  });
});
