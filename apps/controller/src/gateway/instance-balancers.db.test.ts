import type { CreateExposure, ReportedInstance } from "@fairlead/domain";
import { createAddressPool, createExposure, deleteExposure, updateExposure } from "@fairlead/services";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { type BalancerScene, type BalancerStage, onBalancerStage, patience } from "./testing/balancer-stage.ts";
import { pod, podAddress } from "./testing/test-balancer.ts";

let stage: BalancerStage;
let scene: BalancerScene;
onBalancerStage((ours, entered) => {
  stage = ours;
  scene = entered;
});

type PerReplica = Extract<CreateExposure["strategy"], { type: "per-replica" }>;
let poolId: string;
beforeEach(async () => {
  poolId = await pool("instances", "198.51.100.0/24");
});

const pool = async (name: string, prefix: string) =>
  (await createAddressPool(scene.now(), { clusterId: scene.clusterId, name, prefix })).id;
const strategy = (more: Partial<PerReplica> = {}): PerReplica => ({
  type: "per-replica",
  addressing: "balancer",
  replicas: 1,
  poolId,
  ...more,
});
const expose = (more: Partial<PerReplica> = {}, name = "each") =>
  createExposure(scene.now(), {
    ...scene.wish,
    name,
    ports: [{ port: 80, targetPort: 8080, protocol: "tcp" }],
    strategy: strategy(more),
  });

const balancersOf = (exposureId: string) =>
  stage.database.db.loadBalancer.findMany({
    where: { exposureId },
    include: { address: true, status: true, replicas: true },
    orderBy: { name: "asc" },
  });
const addressesOf = async (id: string) =>
  Object.fromEntries((await balancersOf(id)).map(({ instance, address }) => [instance, address?.address ?? null]));
const mapOf = async (exposureId: string) =>
  (await stage.database.db.addressMapping.findMany({ where: { exposureId }, orderBy: { instance: "asc" } })).map(
    (each) =>
      `${each.instance} ${each.pod}@${each.node} ${each.internalAddress}:${each.internalPort} ${each.externalAddress}:${each.externalPort} ${each.ready}`,
  );
/** What all balancers have in their configs: the backends of each address, and their states. */
const carried = () =>
  Object.fromEntries(
    scene.balancers.flatMap((balancer) =>
      balancer
        .services()
        .map(({ address, backends }) => [
          address,
          backends.map((each) => `${each.address}:${each.port} ${each.state}`),
        ]),
    ),
  );
const serves = (id: string, count: number) =>
  vi.waitFor(async () => {
    const found = await balancersOf(id);
    expect(found.map((each) => each.status?.phase)).toEqual(Array(count).fill("serving"));
  }, patience);
const taken = (of = poolId) => stage.database.db.virtualAddress.count({ where: { poolId: of } });
const runs = (...pods: ReportedInstance[]) => scene.runs(pods);

describe("a balancer of our own for each instance", () => {
  it("has an address and that instance behind it, and the map says so", async () => {
    await scene.join(2);
    await runs(pod(1), pod(2), pod(3));
    const { id } = await expose();
    await serves(id, 3);
    expect(await addressesOf(id)).toEqual({
      "web-1": "198.51.100.1",
      "web-2": "198.51.100.2",
      "web-3": "198.51.100.3",
    });
    expect(carried()).toEqual({
      "198.51.100.1": ["10.8.0.1:8080 active"],
      "198.51.100.2": ["10.8.0.2:8080 active"],
      "198.51.100.3": ["10.8.0.3:8080 active"],
    });
    await vi.waitFor(async () =>
      expect(await mapOf(id)).toEqual([
        "web-1 web-1@n1 10.8.0.1:8080 198.51.100.1:80 true",
        "web-2 web-2@n1 10.8.0.2:8080 198.51.100.2:80 true",
        "web-3 web-3@n1 10.8.0.3:8080 198.51.100.3:80 true",
      ]),
    );
    expect(await scene.exposure(id)).toMatchObject({ phase: "serving", message: "Serving on 3 load balancers." });
    // Spread, not heaped on the first.
    expect(scene.balancers.map((each) => each.services().length).sort()).toEqual([1, 2]);
  });

  it("is on as many agents as it shall have replicas, and on others when that changes", async () => {
    await scene.join(3);
    await runs(pod(1));
    const { id } = await expose({ replicas: 2 });
    await serves(id, 1);
    const carrying = () => scene.balancers.filter((each) => each.services().length > 0).length;
    expect(carrying()).toBe(2);
    await updateExposure(scene.now(), id, { strategy: strategy({ replicas: 3 }) });
    await vi.waitFor(() => expect(carrying()).toBe(3), patience);
    await updateExposure(scene.now(), id, { strategy: strategy({ replicas: 1 }) });
    await vi.waitFor(() => expect(carrying()).toBe(1), patience);
    expect(await addressesOf(id)).toEqual({ "web-1": "198.51.100.1" });
  });

  it("keeps its address for an instance that goes and comes back elsewhere", async () => {
    await scene.join(1);
    await runs(pod(1), pod(2));
    const { id } = await expose();
    await serves(id, 2);
    await runs(pod(1));
    await vi.waitFor(async () => {
      expect((await balancersOf(id)).map((each) => each.status?.message)).toEqual([
        expect.stringContaining("Serving on"),
        "Its instance does not run at present; its address waits for it.",
      ]);
      expect(await mapOf(id)).toEqual(["web-1 web-1@n1 10.8.0.1:8080 198.51.100.1:80 true"]);
    }, patience);
    expect(await scene.exposure(id)).toMatchObject({ phase: "degraded" });
    // A third takes neither its name nor its address.
    await runs(pod(1), pod(3), pod(2, { addresses: [podAddress(9)], nodeName: "n7" }));
    await serves(id, 3);
    await vi.waitFor(async () =>
      expect((await mapOf(id)).slice(1)).toEqual([
        "web-2 web-2@n7 10.8.0.9:8080 198.51.100.2:80 true",
        "web-3 web-3@n1 10.8.0.3:8080 198.51.100.3:80 true",
      ]),
    );
  });

  it("drains an instance that is not ready, and sends nobody new to it", async () => {
    stage.times.drainMs = 5_000;
    await scene.join(1);
    await runs(pod(1));
    const { id } = await expose();
    await serves(id, 1);
    await runs(pod(1, { ready: false }));
    await vi.waitFor(async () => {
      expect(carried()).toEqual({ "198.51.100.1": ["10.8.0.1:8080 draining"] });
      expect(await mapOf(id)).toEqual(["web-1 web-1@n1 10.8.0.1:8080 198.51.100.1:80 false"]);
    }, patience);
    await runs(pod(1));
    await vi.waitFor(async () => {
      expect(carried()).toEqual({ "198.51.100.1": ["10.8.0.1:8080 active"] });
      expect(await mapOf(id)).toEqual(["web-1 web-1@n1 10.8.0.1:8080 198.51.100.1:80 true"]);
    }, patience);
  });

  it("goes with an instance that stays away, after its connections, and only then gives its address back", async () => {
    await scene.join(1);
    await runs(pod(1), pod(2));
    const { id } = await expose({ keepSeconds: 0 });
    await serves(id, 2);
    const [balancer] = scene.balancers;
    await balancer?.hold();
    await runs(pod(1));
    await vi.waitFor(() => expect(Object.keys(carried())).toEqual(["198.51.100.1"]), patience);
    expect(await mapOf(id)).toEqual([
      "web-1 web-1@n1 10.8.0.1:8080 198.51.100.1:80 true",
      "web-2 web-2@n1 10.8.0.2:8080 198.51.100.2:80 false",
    ]);
    // Its agent goes on with what it has, so the address is in use.
    expect(await taken()).toBe(2);
    await balancer?.release();
    await vi.waitFor(async () => expect(await addressesOf(id)).toEqual({ "web-1": "198.51.100.1" }), patience);
    expect(await taken()).toBe(1);
    expect(await mapOf(id)).toEqual(["web-1 web-1@n1 10.8.0.1:8080 198.51.100.1:80 true"]);
  });

  it("without an address says so and what to do, and has one as soon as another lets go of it", async () => {
    await scene.join(1);
    await runs(pod(1), pod(2));
    poolId = await pool("small", "203.0.113.4/31");
    const first = await expose({}, "first");
    await serves(first.id, 2);
    const second = await expose({}, "second");
    await vi.waitFor(async () => {
      const found = await balancersOf(second.id);
      expect(found.map((each) => [each.instance, each.status?.phase])).toEqual([
        ["web-1", "failed"],
        ["web-2", "failed"],
      ]);
      expect(found[0]?.status?.message).toBe(
        "Every address of the pool small (203.0.113.4/31) is taken. Add a pool, or delete what no longer needs its address.",
      );
    }, patience);
    const told = await stage.database.db.event.findMany({ where: { subjectId: second.id, reason: "AddressLacking" } });
    expect(told).toHaveLength(1);
    await deleteExposure(scene.now(), first.id);
    await serves(second.id, 2);
    expect(await addressesOf(second.id)).toEqual({ "web-1": "203.0.113.4", "web-2": "203.0.113.5" });
  });

  it("without an address for one and an agent for all replicas is looked at now and then, not all the time", async () => {
    await scene.join(1);
    await runs(pod(1), pod(2));
    poolId = await pool("single", "203.0.113.4/32");
    const { id } = await expose({ replicas: 2 });
    await vi.waitFor(async () => {
      expect((await balancersOf(id)).map((each) => each.replicas.length)).toEqual([2, 2]);
      expect(await addressesOf(id)).toEqual({ "web-1": "203.0.113.4", "web-2": null });
      const { lease, dueAt } = await stage.database.db.reconcileTask.findFirstOrThrow({ where: { objectId: id } });
      expect(lease).toBeNull();
      expect(dueAt.getTime() - Date.now()).toBeGreaterThan(20_000);
    }, patience);
  });

  it("moves to another pool, unless that is full: then it stays and says so", async () => {
    await scene.join(1);
    await runs(pod(1), pod(2));
    const { id } = await expose();
    await serves(id, 2);
    const small = await pool("small", "203.0.113.4/32");
    await updateExposure(scene.now(), id, { strategy: strategy({ poolId: small }) });
    await vi.waitFor(async () => {
      expect((await balancersOf(id)).map((each) => each.status?.phase)).toEqual(["serving", "degraded"]);
      expect(await addressesOf(id)).toEqual({ "web-1": "203.0.113.4", "web-2": "198.51.100.2" });
      expect(await taken()).toBe(1);
    }, patience);
    await vi.waitFor(() =>
      expect(carried()).toEqual({
        "203.0.113.4": ["10.8.0.1:8080 active"],
        "198.51.100.2": ["10.8.0.2:8080 active"],
      }),
    );
  });

  it("of two exposures are apart, and deletion gives all addresses back", async () => {
    await scene.join(2);
    await runs(pod(1), pod(2));
    const [one, two] = [await expose({}, "one"), await expose({}, "two")];
    await serves(one.id, 2);
    await serves(two.id, 2);
    const all = [...Object.values(await addressesOf(one.id)), ...Object.values(await addressesOf(two.id))];
    expect(new Set(all).size).toBe(4);
    await deleteExposure(scene.now(), one.id);
    await vi.waitFor(async () => expect(await taken()).toBe(2), patience);
    expect(Object.keys(carried()).sort()).toEqual(Object.values(await addressesOf(two.id)).sort());
    await deleteExposure(scene.now(), two.id);
    await vi.waitFor(async () => expect(await taken()).toBe(0), patience);
    expect(carried()).toEqual({});
  });

  it("is refused without a pool, and no exposure changes to it or from it", async () => {
    const { id } = await expose();
    await expect(
      updateExposure(scene.now(), id, { strategy: { type: "per-replica", addressing: "dedicated" } }),
    ).rejects.toMatchObject({
      code: "conflict",
      fields: [{ path: ["strategy", "addressing"] }],
    });
    await expect(
      updateExposure(scene.now(), id, { strategy: { type: "per-replica", addressing: "balancer" } }),
    ).rejects.toMatchObject({ code: "invalid", fields: [{ path: ["strategy", "poolId"] }] });
  });
});
