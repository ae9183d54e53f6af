import { deleteExposure, markDirty, updateExposure } from "@fairlead/services";
import { beforeEach, describe, expect, it, vi } from "vitest";
import {
  type BalancerFixture,
  type BalancerStage,
  hourMs,
  onBalancerStage,
  patience,
} from "./testing/balancer-stage.ts";
import { silence } from "./testing/carried.ts";
import { type InstanceScene, withPool } from "./testing/instance-fixture.ts";
import { pod, podAddress } from "./testing/test-balancer.ts";

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

describe("a balancer of our own for each instance", () => {
  it("has an address and that instance behind it, and the map says so", async () => {
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
    // Spread, not heaped on the first.
    expect(fixture.balancers.map((each) => each.services().length).sort()).toEqual([1, 2]);
  });

  it("is on as many agents as it shall have replicas, and on others when that changes", async () => {
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

  it("keeps its address for an instance that goes and comes back elsewhere", async () => {
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
    // A third takes neither its name nor its address.
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

  it("drains an instance that is not ready, and sends nobody new to it", async () => {
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

  it("goes with an instance that stays away, after its connections, and only then gives its address back", async () => {
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
    // Its agent goes on with what it has, so the address is in use.
    expect(await on.taken(on.poolId)).toBe(2);
    await balancer?.release();
    await vi.waitFor(async () => expect(await on.addressesOf(id)).toEqual({ "web-1": "198.51.100.1" }), patience);
    expect(await on.taken(on.poolId)).toBe(1);
    expect(await on.mapOf(id)).toEqual(["web-1 web-1@n1 10.8.0.1:8080 198.51.100.1:80 true"]);
  });

  it("is not ready in the map where it runs anew before every replica leads there", async () => {
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

  it("is not ready in the map while the agent that carries it is silent, unless it could not reach us", async () => {
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

  it("of two exposures are apart, and deletion gives all addresses back", async () => {
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
