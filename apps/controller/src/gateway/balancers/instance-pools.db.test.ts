import { deleteExposure, updateExposure } from "@fairlead/services";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { type BalancerFixture, type BalancerStage, onBalancerStage, patience } from "../testing/balancer-stage.ts";
import { type InstanceScene, withPool } from "../testing/instance-fixture.ts";
import { pod } from "../testing/test-balancer.ts";

let stage: BalancerStage;
let fixture: BalancerFixture;
let on: InstanceScene;
onBalancerStage((ours, entered) => {
  stage = ours;
  fixture = entered;
});
beforeEach(async () => {
  on = await withPool(stage, fixture);
});

describe("the address of an instance with a Fairlead balancer", () => {
  it("is reported as missing with what to do, and is assigned once another one is released", async () => {
    await fixture.join(1);
    await on.runs(pod(1), pod(2));
    on.poolId = await on.pool("small", "203.0.113.4/31");
    const first = await on.expose({}, "first");
    await on.serves(first.id, 2);
    const second = await on.expose({}, "second");
    await vi.waitFor(async () => {
      const found = await on.balancersOf(second.id);
      expect(found.map((each) => [each.instance, each.status?.phase])).toEqual([
        ["web-1", "failed"],
        ["web-2", "failed"],
      ]);
      expect(found[0]?.status?.message).toBe(
        "Every address of the pool small (203.0.113.4/31) is taken. Add a pool, or delete what no longer needs its address.",
      );
    }, patience);
    const events = await stage.database.db.event.findMany({
      where: { subjectId: second.id, reason: "AddressLacking" },
    });
    expect(events).toHaveLength(1);
    await deleteExposure(fixture.now(), first.id);
    await on.serves(second.id, 2);
    expect(await on.addressesOf(second.id)).toEqual({ "web-1": "203.0.113.4", "web-2": "203.0.113.5" });
  });

  it("is checked only now and then while an address and an agent are missing", async () => {
    await fixture.join(1);
    await on.runs(pod(1), pod(2));
    on.poolId = await on.pool("single", "203.0.113.4/32");
    const { id } = await on.expose({ replicas: 2 });
    await vi.waitFor(async () => {
      expect((await on.balancersOf(id)).map((each) => each.replicas.length)).toEqual([2, 2]);
      expect(await on.addressesOf(id)).toEqual({ "web-1": "203.0.113.4", "web-2": null });
      const { lease, dueAt } = await stage.database.db.reconcileTask.findFirstOrThrow({ where: { objectId: id } });
      expect(lease).toBeNull();
      expect(dueAt.getTime() - Date.now()).toBeGreaterThan(20_000);
    }, patience);
  });

  it("is reported as missing if its pool was deleted, with what to do, and comes from another pool", async () => {
    await fixture.join(1);
    const { id } = await on.expose();
    // As a direct write to the database would leave it.
    await stage.database.db.addressPool.delete({ where: { id: on.poolId } });
    await on.runs(pod(1));
    await vi.waitFor(
      async () =>
        expect((await on.balancersOf(id)).map((each) => [each.status?.phase, each.status?.message])).toEqual([
          ["failed", "The pool to take its address from is gone: change the exposure, and choose another."],
        ]),
      patience,
    );
    const other = await on.pool("other", "203.0.113.4/32");
    await updateExposure(fixture.now(), id, { strategy: on.strategy({ poolId: other }) });
    await on.serves(id, 1);
  });

  it("moves to another pool, or stays with a message if that pool is full", async () => {
    await fixture.join(1);
    await on.runs(pod(1), pod(2));
    const { id } = await on.expose();
    await on.serves(id, 2);
    const small = await on.pool("small", "203.0.113.4/32");
    await updateExposure(fixture.now(), id, { strategy: on.strategy({ poolId: small }) });
    await vi.waitFor(async () => {
      expect((await on.balancersOf(id)).map((each) => each.status?.phase)).toEqual(["serving", "degraded"]);
      expect(await on.addressesOf(id)).toEqual({ "web-1": "203.0.113.4", "web-2": "198.51.100.2" });
      expect(await on.taken(on.poolId)).toBe(1);
    }, patience);
    await vi.waitFor(
      () =>
        expect(on.carried()).toEqual({
          "203.0.113.4": ["10.8.0.1:8080 active"],
          "198.51.100.2": ["10.8.0.2:8080 active"],
        }),
      patience,
    );
  });

  it("requires a pool, and an exposure can't change to or from it", async () => {
    const { id } = await on.expose();
    await expect(
      updateExposure(fixture.now(), id, { strategy: { type: "per-replica", addressing: "dedicated" } }),
    ).rejects.toMatchObject({
      code: "conflict",
      fields: [{ path: ["strategy", "addressing"] }],
    });
    await expect(
      updateExposure(fixture.now(), id, { strategy: { type: "per-replica", addressing: "balancer" } }),
    ).rejects.toMatchObject({ code: "invalid", fields: [{ path: ["strategy", "poolId"] }] });
  });
});
