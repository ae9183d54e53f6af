import { deleteExposure, markDirty, updateExposure } from "@fairlead/services";
import { beforeEach, describe, expect, it, vi } from "vitest";
import {
  type BalancerFixture,
  type BalancerStage,
  hourMs,
  onBalancerStage,
  patience,
} from "../testing/balancer-stage.ts";
import { silence } from "../testing/carried.ts";
import { type InstanceScene, withPool } from "../testing/instance-fixture.ts";
import { pod, podAddress } from "../testing/test-balancer.ts";

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

describe("a Fairlead balancer for each instance", () => {
  it("has an address and its instance as backend, as the map shows", async () => {
    await fixture.join(2);
    await on.runs(pod(1), pod(2), pod(3));
    const { id } = await on.expose();
    await on.serves(id, 3);
    expect(await on.addressesOf(id)).toEqual({
      "web-1": "198.51.100.1",
      "web-2": "198.51.100.2",
      "web-3": "198.51.100.3",
    });
    expect(on.carried()).toEqual({
      "198.51.100.1": ["10.8.0.1:8080 active"],
      "198.51.100.2": ["10.8.0.2:8080 active"],
      "198.51.100.3": ["10.8.0.3:8080 active"],
    });
    await vi.waitFor(
      async () =>
        expect(await on.mapOf(id)).toEqual([
          "web-1 web-1@n1 10.8.0.1:8080 198.51.100.1:80 true",
          "web-2 web-2@n1 10.8.0.2:8080 198.51.100.2:80 true",
          "web-3 web-3@n1 10.8.0.3:8080 198.51.100.3:80 true",
        ]),
      patience,
    );
    expect(await fixture.exposure(id)).toMatchObject({ phase: "serving", message: "Serving on 3 load balancers." });
    // Spread over the balancers, not all on the first one.
    expect(fixture.balancers.map((each) => each.services().length).sort()).toEqual([1, 2]);
  });

  it("runs on one agent per replica, and follows a change of that number", async () => {
    await fixture.join(3);
    await on.runs(pod(1));
    const { id } = await on.expose({ replicas: 2 });
    await on.serves(id, 1);
    const carrying = () => fixture.balancers.filter((each) => each.services().length > 0).length;
    expect(carrying()).toBe(2);
    await updateExposure(fixture.now(), id, { strategy: on.strategy({ replicas: 3 }) });
    await vi.waitFor(() => expect(carrying()).toBe(3), patience);
    await updateExposure(fixture.now(), id, { strategy: on.strategy({ replicas: 1 }) });
    await vi.waitFor(() => expect(carrying()).toBe(1), patience);
    expect(await on.addressesOf(id)).toEqual({ "web-1": "198.51.100.1" });
  });

  it("keeps its address for an instance that is removed and returns elsewhere", async () => {
    await fixture.join(1);
    await on.runs(pod(1), pod(2));
    const { id } = await on.expose();
    await on.serves(id, 2);
    await on.runs(pod(1));
    await vi.waitFor(async () => {
      expect((await on.balancersOf(id)).map((each) => each.status?.message)).toEqual([
        expect.stringContaining("Serving on"),
        "Its instance is not running; its address is kept for it.",
      ]);
      expect(await on.mapOf(id)).toEqual(["web-1 web-1@n1 10.8.0.1:8080 198.51.100.1:80 true"]);
    }, patience);
    expect(await fixture.exposure(id)).toMatchObject({ phase: "degraded" });
    // A third instance gets neither its name nor its address.
    await on.runs(pod(1), pod(3), pod(2, { addresses: [podAddress(9)], nodeName: "n7" }));
    await on.serves(id, 3);
    await vi.waitFor(
      async () =>
        expect((await on.mapOf(id)).slice(1)).toEqual([
          "web-2 web-2@n7 10.8.0.9:8080 198.51.100.2:80 true",
          "web-3 web-3@n1 10.8.0.3:8080 198.51.100.3:80 true",
        ]),
      patience,
    );
  });

  it("drains an instance that is not ready, and sends no new connections to it", async () => {
    stage.times.drainMs = 5_000;
    await fixture.join(1);
    await on.runs(pod(1));
    const { id } = await on.expose();
    await on.serves(id, 1);
    await on.runs(pod(1, { ready: false }));
    await vi.waitFor(async () => {
      expect(on.carried()).toEqual({ "198.51.100.1": ["10.8.0.1:8080 draining"] });
      expect(await on.mapOf(id)).toEqual(["web-1 web-1@n1 10.8.0.1:8080 198.51.100.1:80 false"]);
    }, patience);
    await on.runs(pod(1));
    await vi.waitFor(async () => {
      expect(on.carried()).toEqual({ "198.51.100.1": ["10.8.0.1:8080 active"] });
      expect(await on.mapOf(id)).toEqual(["web-1 web-1@n1 10.8.0.1:8080 198.51.100.1:80 true"]);
    }, patience);
  });

  it("is removed after the connections of a removed instance have ended, and only then releases its address", async () => {
    await fixture.join(1);
    await on.runs(pod(1), pod(2));
    const { id } = await on.expose({ keepSeconds: 0 });
    await on.serves(id, 2);
    const [balancer] = fixture.balancers;
    await balancer?.hold();
    await on.runs(pod(1));
    await vi.waitFor(() => expect(Object.keys(on.carried())).toEqual(["198.51.100.1"]), patience);
    expect(await on.mapOf(id)).toEqual([
      "web-1 web-1@n1 10.8.0.1:8080 198.51.100.1:80 true",
      "web-2 web-2@n1 10.8.0.2:8080 198.51.100.2:80 false",
    ]);
    // Its agent still runs the previous config, so the address is in use.
    expect(await on.taken(on.poolId)).toBe(2);
    await balancer?.release();
    await vi.waitFor(async () => expect(await on.addressesOf(id)).toEqual({ "web-1": "198.51.100.1" }), patience);
    expect(await on.taken(on.poolId)).toBe(1);
    expect(await on.mapOf(id)).toEqual(["web-1 web-1@n1 10.8.0.1:8080 198.51.100.1:80 true"]);
  });

  it("is not ready in the map after a move until every replica forwards to the new place", async () => {
    await fixture.join(2);
    await on.runs(pod(1));
    const { id } = await on.expose({ replicas: 2 });
    await on.serves(id, 1);
    const [quick, slow] = fixture.balancers;
    await slow?.hold();
    await on.runs(pod(1, { addresses: [podAddress(9)] }));
    const line = (isReady: boolean) => [`web-1 web-1@n1 10.8.0.9:8080 198.51.100.1:80 ${isReady}`];
    await quick?.until(
      ({ balancer }) => balancer?.services[0]?.backends.some((each) => each.address === podAddress(9)) ?? false,
    );
    await quick?.reported();
    await vi.waitFor(async () => expect(await on.mapOf(id)).toEqual(line(false)), patience);
    await markDirty(stage.database.db, "exposure", id);
    await on.serves(id, 1);
    expect(await on.mapOf(id)).toEqual(line(false));
    await slow?.release();
    await vi.waitFor(async () => expect(await on.mapOf(id)).toEqual(line(true)), patience);
  });

  it("is not ready in the map while its agent is silent, unless the agent could not reach us", async () => {
    await fixture.join(1);
    await on.runs(pod(1));
    const { id } = await on.expose();
    await on.serves(id, 1);
    const line = (isReady: boolean) => [`web-1 web-1@n1 10.8.0.1:8080 198.51.100.1:80 ${isReady}`];
    await vi.waitFor(async () => expect(await on.mapOf(id)).toEqual(line(true)), patience);
    const [balancer] = fixture.balancers;
    await balancer?.hold();
    await silence(stage, balancer?.agentId, 20);
    stage.presentFor(2_000);
    await markDirty(stage.database.db, "exposure", id);
    await vi.waitFor(
      async () => expect((await fixture.exposure(id)).message).toContain("last configuration"),
      patience,
    );
    expect(await on.mapOf(id)).toEqual(line(true));
    stage.presentFor(hourMs);
    await markDirty(stage.database.db, "exposure", id);
    await vi.waitFor(async () => expect(await on.mapOf(id)).toEqual(line(false)), patience);
    await balancer?.release();
    await vi.waitFor(async () => expect(await on.mapOf(id)).toEqual(line(true)), patience);
  });

  it("is independent of other exposures, and deletion releases all addresses", async () => {
    await fixture.join(2);
    await on.runs(pod(1), pod(2));
    const [one, two] = [await on.expose({}, "one"), await on.expose({}, "two")];
    await on.serves(one.id, 2);
    await on.serves(two.id, 2);
    const all = [...Object.values(await on.addressesOf(one.id)), ...Object.values(await on.addressesOf(two.id))];
    expect(new Set(all).size).toBe(4);
    await deleteExposure(fixture.now(), one.id);
    await vi.waitFor(async () => expect(await on.taken(on.poolId)).toBe(2), patience);
    expect(Object.keys(on.carried()).sort()).toEqual(Object.values(await on.addressesOf(two.id)).sort());
    await deleteExposure(fixture.now(), two.id);
    await vi.waitFor(async () => expect(await on.taken(on.poolId)).toBe(0), patience);
    expect(on.carried()).toEqual({});
  });
});
