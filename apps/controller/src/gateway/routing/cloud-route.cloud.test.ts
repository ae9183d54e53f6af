import { type CloudRouteMethod, cloudRouteMethods } from "@fairlead/domain/cloud";
import { sessionDefaults } from "@fairlead/domain/exposure";
import {
  createExposure,
  deleteCluster,
  deleteExposure,
  pauseExposure,
  resumeExposure,
  updateCluster,
  updateNode,
} from "@fairlead/services";
import { describe, expect, it, vi } from "vitest";
import { silence } from "../testing/carried.ts";
import { byHand, type CloudFixture, onCloudStage, patience } from "../testing/cloud-stage.ts";
import { pod } from "../testing/test-balancer.ts";

let cloud: CloudFixture;
onCloudStage((entered) => {
  cloud = entered;
});

/** Exposes one address on this many replicas, and waits until it is routed to one of them. */
async function place(method: CloudRouteMethod, replicas = 2) {
  const exposure = await cloud.fixture.serve(replicas, [pod(1)]);
  const hands = await byHand[method](cloud, await cloud.address());
  await cloud.setUp(hands.settings);
  await cloud.comes({ state: "placed" });
  const [row] = await cloud.listed();
  const on = Number(row?.nodeName?.slice(1));
  expect(await hands.leadsTo()).toBe(await cloud.idOf(on));
  return { ...hands, exposure, address: row?.address ?? "", nodeId: row?.nodeId ?? "", on, other: on === 1 ? 2 : 1 };
}

describe.each(cloudRouteMethods)("a service address in a cloud, by %s", (method) => {
  it("is routed to a replica, moves when it becomes silent, stays there, and is removed with its exposure", async () => {
    const { address, on, other, leadsTo, exposure } = await place(method);
    expect(await cloud.messagesOf("AddressPlaced")).toEqual([
      expect.stringMatching(`${address} leads to n${on}; that took`),
    ]);

    const downAt = performance.now();
    await silence(cloud.stage, cloud.fixture.balancers[on - 1]?.agentId, 16);
    await cloud.look();
    const target = await cloud.idOf(other);
    await vi.waitFor(async () => expect(await leadsTo()).toBe(target), patience);
    console.log(`by ${method}, counted as silent → moved: ${Math.round(performance.now() - downAt)} ms`);
    await cloud.comes({ state: "placed", nodeName: `n${other}`, interfaceId: target });
    expect(await cloud.messagesOf("AddressMoved")).toEqual([
      expect.stringMatching(
        `${address} moved from n${on} to n${other}, because n${on} has not reported for 1[67] s; that took \\d+\\.\\d s`,
      ),
    ]);
    // The first one reports again, but the address doesn't move back.
    await cloud.fixture.balancers[on - 1]?.say();
    await cloud.look();
    await cloud.comes({ state: "placed", nodeName: `n${other}` });

    cloud.stage.times.drainMs = 0;
    await deleteExposure(cloud.fixture.now(), exposure.id);
    await vi.waitFor(async () => expect(await cloud.listed()).toEqual([]), patience);
    expect(await leadsTo()).toBeNull();
  });

  it("moves away from a draining node", async () => {
    const { nodeId, on, other, leadsTo } = await place(method);
    await updateNode(cloud.fixture.now(), nodeId, { draining: true });
    await cloud.comes({ state: "placed", nodeName: `n${other}`, reason: `n${on} drains` });
    expect(await leadsTo()).toBe(await cloud.idOf(other));
    expect(await cloud.messagesOf("AddressMoved")).toHaveLength(1);
  });

  it("is neither moved nor repaired while its exposure is paused", async () => {
    const { exposure, nodeId, on, other, leadsTo, untake } = await place(method);
    await pauseExposure(cloud.fixture.now(), exposure.id);
    await updateNode(cloud.fixture.now(), nodeId, { draining: true });
    await untake(await cloud.idOf(on));
    const long = new Date(0);
    await cloud.stage.database.db.cloudAddress.updateMany({ data: { observedAt: long } });
    await cloud.look();
    await vi.waitFor(async () => expect((await cloud.listed())[0]?.observedAt).not.toEqual(long), patience);
    expect(await leadsTo()).toBeNull();
    expect(await cloud.listed()).toMatchObject([{ nodeName: `n${on}`, interfaceId: "" }]);
    await resumeExposure(cloud.fixture.now(), exposure.id);
    await cloud.comes({ state: "placed", nodeName: `n${other}`, reason: `n${on} drains` });
    expect(await leadsTo()).toBe(await cloud.idOf(other));
  });

  it("moves away from a terminated machine", async () => {
    const { on, other, leadsTo } = await place(method);
    await cloud.vpc.terminate(await cloud.idOf(on));
    await silence(cloud.stage, cloud.fixture.balancers[on - 1]?.agentId, 16);
    await cloud.look();
    await cloud.comes({ state: "placed", nodeName: `n${other}` });
    expect(await leadsTo()).toBe(await cloud.idOf(other));
  });

  it("that someone else uses is left alone, with an event, and is routed once it is free", async () => {
    await cloud.fixture.serve(1, [pod(1)]);
    const address = await cloud.address();
    const hands = await byHand[method](cloud, address);
    const foreign = await cloud.vpc.addInterface("10.9.0.99");
    await hands.take(foreign);
    await cloud.setUp(hands.settings);
    await cloud.comes({ state: "refused", address, reason: expect.stringContaining(`already leads to ${foreign}`) });
    expect(await cloud.messagesOf("AddressRefused")).toEqual([expect.stringContaining(foreign)]);
    await hands.untake(foreign);
    await cloud.look();
    await cloud.comes({ state: "placed", reason: "" });
    expect(await hands.leadsTo()).toBe(await cloud.idOf(1));
  });

  it("is restored after a manual change", async () => {
    const { on, leadsTo, untake } = await place(method);
    await untake(await cloud.idOf(on));
    expect(await leadsTo()).toBeNull();
    await cloud.stage.database.db.cloudAddress.updateMany({ data: { observedAt: new Date(0) } });
    await cloud.look();
    const target = await cloud.idOf(on);
    await vi.waitFor(async () => expect(await leadsTo()).toBe(target), patience);
  });

  it("is removed, with all marks, when the cloud route is removed", async () => {
    const { leadsTo } = await place(method);
    const { clusterId, now } = cloud.fixture;
    await updateCluster(now(), clusterId, { cloudRoute: null });
    const { db } = cloud.stage.database;
    await vi.waitFor(async () => expect(await db.cloudRoute.count({ where: { clusterId } })).toBe(0), patience);
    expect(await leadsTo()).toBeNull();
    const interfaces = await cloud.vpc.interfaces();
    expect(interfaces.flatMap((each) => each.tags)).toEqual([]);
    expect(interfaces.every((each) => each.isChecked)).toBe(true);
  });
});

describe("a controller that crashes", () => {
  it.each<[CloudRouteMethod, string]>([
    ["route", "CreateTags"],
    ["route", "ModifyNetworkInterfaceAttribute"],
    ["route", "CreateRoute"],
    ["secondary-address", "AssignPrivateIpAddresses"],
    ["elastic-address", "AssignPrivateIpAddresses"],
    ["elastic-address", "AssociateAddress"],
  ])("while it places by %s, after %s, leaves a state that the next one can repair", async (method, action) => {
    await cloud.fixture.serve(1, [pod(1)]);
    const hands = await byHand[method](cloud, await cloud.address());
    await crashAfter(action, () => cloud.setUp(hands.settings));
    await cloud.comes({ state: "placed" });
    expect(await hands.leadsTo()).toBe(await cloud.idOf(1));
    await expect(deleteCluster(cloud.fixture.now(), cloud.fixture.clusterId)).rejects.toMatchObject({
      code: "conflict",
    });
  });

  // An Elastic IP moves with its address, so there is no second call to crash before.
  it.each<[CloudRouteMethod, string]>([
    ["route", "ReplaceRoute"],
    ["secondary-address", "AssignPrivateIpAddresses"],
    ["elastic-address", "AssignPrivateIpAddresses"],
  ])(
    "while it moves by %s, after %s, is followed by one that completes the move and reports its reason",
    async (method, action) => {
      const { nodeId, on, other, leadsTo } = await place(method);
      const moves = () => updateNode(cloud.fixture.now(), nodeId, { draining: true });
      await crashAfter(action, moves);
      await cloud.comes({ state: "placed", nodeName: `n${other}` });
      expect(await leadsTo()).toBe(await cloud.idOf(other));
      expect(await cloud.messagesOf("AddressMoved")).toEqual([expect.stringContaining(`because n${on} drains`)]);
    },
  );

  /** No request after that call gets an answer: the controller ends there, and another one starts. */
  async function crashAfter(action: string, begin: () => Promise<unknown>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    cloud.front.after = { action, reached: resolve };
    await begin();
    await promise;
    await cloud.stopLoop(0);
    cloud.front.after = null;
    await cloud.startLoop();
  }
});

it("notes the servers whose replies to clients AWS drops, until their check is off", async () => {
  const { fixture, vpc } = cloud;
  const { db } = cloud.stage.database;
  await fixture.join(1);
  const ids = new Map<string, string>();
  for (const address of ["10.9.0.51", "10.9.0.52"]) ids.set(address, await vpc.addInterface(address));
  await vpc.check(ids.get("10.9.0.52") ?? "", false);
  await fixture.runs([
    pod(1, { addresses: ["10.9.0.51"] }),
    pod(2, { addresses: ["10.9.0.52"] }),
    pod(3, { addresses: ["10.244.0.3"] }), // on a network of its own
  ]);
  const { spec } = fixture;
  const poolId = "poolId" in spec.strategy ? (spec.strategy.poolId ?? "") : "";
  const { id: exposureId } = await createExposure(fixture.now(), {
    ...spec,
    strategy: { type: "session", replicas: 1, poolId, ...sessionDefaults, serverNames: [] },
  });
  await vi.waitFor(
    async () => expect(await db.backend.count({ where: { loadBalancer: { exposureId } } })).toBe(3),
    patience,
  );
  await cloud.setUp();
  const stored = async () =>
    (await db.sourceCheck.findMany({ include: { backend: true } })).map((each) => [
      each.backend.address,
      each.interfaceId,
    ]);
  await vi.waitFor(async () => expect(await stored()).toEqual([["10.9.0.51", ids.get("10.9.0.51")]]), patience);

  await vpc.check(ids.get("10.9.0.51") ?? "", false);
  await db.cloudAddress.updateMany({ data: { observedAt: new Date(0) } }); // as after half a minute
  await cloud.look();
  await vi.waitFor(async () => expect(await stored()).toEqual([]), patience);

  await vpc.check(ids.get("10.9.0.52") ?? "", true);
  await db.cloudAddress.updateMany({ data: { observedAt: new Date(0) } });
  await cloud.look();
  await vi.waitFor(async () => expect(await stored()).toHaveLength(1), patience);
  await updateCluster(fixture.now(), fixture.clusterId, { cloudRoute: null });
  await vi.waitFor(async () => expect(await stored()).toEqual([]), patience);
});
