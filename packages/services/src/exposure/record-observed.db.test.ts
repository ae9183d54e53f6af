import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import type { DesiredExposure, ObservedExposure } from "@fairlead/domain/exposure";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ServiceContext } from "../context.ts";
import { getLoadBalancer } from "../load-balancer/index.ts";
import { createTestExposure, createTestNode, createTestOrganization } from "../testing/index.ts";
import { deleteExposure, getExposure, loadDesiredExposure, recordObservedExposure, removeExposure } from "./index.ts";

let database: TestDatabase;
let ctx: ServiceContext;
let desired: DesiredExposure;
const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  ctx = await createTestOrganization(database.db);
  const { exposure } = await createTestExposure(ctx);
  const loaded = await loadDesiredExposure(database.db, exposure.id);
  if (!loaded) throw new Error("the exposure was just created");
  desired = loaded;
  await database.db.feedEntry.deleteMany({ where: { organizationId: ctx.organizationId } });
});

function seen(change: Partial<ObservedExposure> = {}, backendHealth: "up" | "down" = "up"): ObservedExposure {
  return {
    generation: 1,
    phase: "serving",
    message: "Serving on 2 of 2 replicas.",
    conditions: [{ type: "Ready", status: "true", reason: "Serving", message: "All replicas announce it." }],
    applied: true,
    loadBalancers: desired.loadBalancers.map((each) => ({
      id: each.id,
      phase: "serving",
      message: "",
      address: null,
      replicas: each.replicas.map(({ id }) => ({ id, nodeId: null, ready: true, message: "" })),
      backends: [
        {
          instance: "a",
          protocol: "tcp",
          address: "10.0.0.1",
          port: 80,
          weight: 1,
          state: "active",
          health: backendHealth,
        },
        { instance: "b", protocol: "tcp", address: "2001:db8::1", port: 80, weight: 2, state: "active", health: "up" },
      ],
      mappings: [
        {
          instance: "a",
          pod: "a-7f",
          node: "node-1",
          protocol: "tcp",
          internalAddress: "10.0.0.1",
          internalPort: 80,
          externalAddress: "192.0.2.1",
          externalPort: 443,
          ready: backendHealth === "up",
        },
      ],
    })),
    ...change,
  };
}

async function feed(): Promise<string[]> {
  const rows = await database.db.feedEntry.findMany({
    where: { organizationId: ctx.organizationId },
    orderBy: { id: "asc" },
  });
  await database.db.feedEntry.deleteMany({ where: { organizationId: ctx.organizationId } });
  return rows.map((row) => row.subjectKind);
}

async function reasons(): Promise<string[]> {
  const rows = await database.db.event.findMany({
    where: { organizationId: ctx.organizationId },
    orderBy: { at: "asc" },
  });
  return rows.map((row) => row.reason);
}

describe("the spec for a driver", () => {
  it("contains the whole exposure", () => {
    expect(desired).toMatchObject({
      organizationId: ctx.organizationId,
      cluster: { kind: "lab" },
      name: "shop",
      ports: [{ port: 443, targetPort: 8443, protocol: "tcp" }],
      strategy: { type: "ecmp", replicas: 2 },
      generation: 1,
      deletedAt: null,
      applied: false,
      loadBalancers: [
        {
          name: "shop",
          kind: "fairlead",
          instance: null,
          address: "192.0.2.1",
          replicas: [{ ordinal: 0 }, { ordinal: 1 }],
        },
      ],
    });
  });
});

describe("what a driver observed", () => {
  it("is what users then read", async () => {
    await recordObservedExposure(database.db, desired.id, seen(), at(1));
    expect(await getExposure(ctx, desired.id)).toMatchObject({
      observedGeneration: 1,
      phase: "serving",
      message: "Serving on 2 of 2 replicas.",
      conditions: [{ type: "Ready", status: "true", changedAt: at(1) }],
      observedAt: at(1),
    });
    expect(await getLoadBalancer(ctx, desired.loadBalancers[0]?.id ?? "")).toMatchObject({
      phase: "serving",
      address: "192.0.2.1",
      replicasDesired: 2,
      replicasReady: 2,
      backendsUp: 2,
      backendsTotal: 2,
      replicas: [{ ready: true, observedAt: at(1) }, { ready: true }],
      backends: [
        { instance: "a", address: "10.0.0.1", health: "up" },
        { instance: "b", address: "2001:db8::1", weight: 2 },
      ],
    });
    expect(await feed()).toEqual(["exposure", "load-balancer", "exposure"]);
    expect(await reasons()).toEqual(["Serving"]);
  });

  it("notifies no stream when nothing changed, but updates the observation time", async () => {
    await recordObservedExposure(database.db, desired.id, seen(), at(1));
    await feed();
    await recordObservedExposure(database.db, desired.id, seen(), at(2));
    expect(await feed()).toEqual([]);
    expect(await reasons()).toEqual(["Serving"]);
    const exposure = await getExposure(ctx, desired.id);
    expect(exposure.observedAt).toEqual(at(2));
    expect(exposure.conditions[0]?.changedAt).toEqual(at(1));
    const balancer = await getLoadBalancer(ctx, desired.loadBalancers[0]?.id ?? "");
    expect([balancer.observedAt, balancer.backends[0]?.observedAt, balancer.replicas[0]?.observedAt]).toEqual([
      at(2),
      at(2),
      at(2),
    ]);
  });

  it("of TCP and UDP on one port are two backends, and settles", async () => {
    const both = seen();
    for (const each of both.loadBalancers) {
      each.backends = each.backends.flatMap((backend) => [backend, { ...backend, protocol: "udp" }]);
      each.mappings = each.mappings.flatMap((mapping) => [mapping, { ...mapping, protocol: "udp" }]);
    }
    await recordObservedExposure(database.db, desired.id, both, at(1));
    const balancer = await getLoadBalancer(ctx, desired.loadBalancers[0]?.id ?? "");
    expect(balancer.backends.map(({ address, protocol }) => `${address} ${protocol}`)).toEqual([
      "10.0.0.1 tcp",
      "10.0.0.1 udp",
      "2001:db8::1 tcp",
      "2001:db8::1 udp",
    ]);
    const mappings = await database.db.addressMapping.findMany({ where: { exposureId: desired.id } });
    expect(mappings.map((each) => each.protocol).sort()).toEqual(["tcp", "udp"]);
    await feed();
    await recordObservedExposure(database.db, desired.id, both, at(2));
    expect(await feed()).toEqual([]);
  });

  it("seen twice counts once, the last, and settles", async () => {
    const twice = seen();
    for (const each of twice.loadBalancers) {
      each.backends = each.backends.flatMap((backend) => [{ ...backend, weight: 9 }, backend]);
      each.mappings = each.mappings.flatMap((mapping) => [{ ...mapping, externalPort: 9 }, mapping]);
    }
    await recordObservedExposure(database.db, desired.id, twice, at(1));
    await feed();
    for (const observed of [twice, seen()]) {
      await recordObservedExposure(database.db, desired.id, observed, at(2));
      expect(await feed()).toEqual([]);
    }
  });

  it("of a replica's node never becomes part of the spec", async () => {
    const { nodeId } = await createTestNode(ctx, desired.cluster.id);
    const placed = seen();
    for (const each of placed.loadBalancers) for (const replica of each.replicas) replica.nodeId = nodeId;
    await recordObservedExposure(database.db, desired.id, placed, at(1));
    const balancer = await getLoadBalancer(ctx, desired.loadBalancers[0]?.id ?? "");
    expect(balancer.replicas).toMatchObject([{ nodeId, nodeName: "node-1" }, { nodeId }]);
    expect((await loadDesiredExposure(database.db, desired.id))?.loadBalancers).toEqual(desired.loadBalancers);
  });

  it("deletes the status of a replica that is no longer observed, once", async () => {
    await recordObservedExposure(database.db, desired.id, seen(), at(1));
    const one = seen();
    for (const each of one.loadBalancers) each.replicas = each.replicas.slice(0, 1);
    await recordObservedExposure(database.db, desired.id, one, at(2));
    const balancer = await getLoadBalancer(ctx, desired.loadBalancers[0]?.id ?? "");
    expect(balancer.replicas).toMatchObject([
      { ready: true, observedAt: at(2) },
      { ready: false, observedAt: null },
    ]);
    await feed();
    await recordObservedExposure(database.db, desired.id, one, at(3));
    expect(await feed()).toEqual([]);
  });

  it("keeps a backend's id while it changes, and deletes one that is gone", async () => {
    await recordObservedExposure(database.db, desired.id, seen(), at(1));
    const before = await getLoadBalancer(ctx, desired.loadBalancers[0]?.id ?? "");
    await feed();
    const less = seen({}, "down");
    for (const each of less.loadBalancers) each.backends = each.backends.slice(0, 1);
    await recordObservedExposure(database.db, desired.id, less, at(2));
    const after = await getLoadBalancer(ctx, before.id);
    expect(after.backends).toEqual([{ ...before.backends[0], health: "down", observedAt: at(2) }]);
    expect(after).toMatchObject({ backendsUp: 0, backendsTotal: 1 });
    expect(await feed()).toEqual(["load-balancer", "exposure"]);
  });

  it("raises a mapping's generation only when a client would behave differently", async () => {
    const generation = async () => {
      const [mapping] = await database.db.addressMapping.findMany({ where: { exposureId: desired.id } });
      return mapping?.generation;
    };
    await recordObservedExposure(database.db, desired.id, seen(), at(1));
    expect(await generation()).toBe(1);
    const heavier = seen();
    for (const each of heavier.loadBalancers) for (const backend of each.backends) backend.weight = 5;
    await recordObservedExposure(database.db, desired.id, heavier, at(2));
    expect(await generation()).toBe(1);
    await recordObservedExposure(database.db, desired.id, seen({}, "down"), at(3));
    expect(await generation()).toBe(2);
  });

  it("leaves an event for every condition that changed, and only then", async () => {
    await recordObservedExposure(database.db, desired.id, seen(), at(1));
    const failed = seen({
      phase: "failed",
      conditions: [{ type: "Ready", status: "false", reason: "NotServing", message: "No router takes it." }],
    });
    await recordObservedExposure(database.db, desired.id, failed, at(2));
    await recordObservedExposure(database.db, desired.id, failed, at(3));
    expect(await reasons()).toEqual(["Serving", "NotServing"]);
    const event = await database.db.event.findFirst({ where: { reason: "NotServing", subjectId: desired.id } });
    expect(event).toMatchObject({ severity: "problem", message: "No router takes it.", subjectName: "shop" });
  });

  it("is only stored for the exposure's own balancers", async () => {
    const { exposure: other } = await createTestExposure(ctx);
    await recordObservedExposure(database.db, other.id, seen(), at(1));
    expect(await database.db.loadBalancerStatus.count({ where: { loadBalancer: { exposureId: desired.id } } })).toBe(0);
  });

  it("of an exposure that is gone is ignored", async () => {
    await recordObservedExposure(database.db, "exp_gone", seen(), at(1));
    expect(await database.db.exposureStatus.count({ where: { exposureId: "exp_gone" } })).toBe(0);
  });
});

describe("removal", () => {
  it("leaves an exposure alone that was not deleted", async () => {
    expect(await removeExposure(database.db, desired.id, at(1))).toBe(false);
    expect(await getExposure(ctx, desired.id)).toMatchObject({ deletedAt: null });
  });

  it("deletes the exposure and its balancers and frees their addresses", async () => {
    await deleteExposure(ctx, desired.id);
    expect(await loadDesiredExposure(database.db, desired.id)).toMatchObject({ deletedAt: ctx.now, generation: 2 });
    await feed();
    expect(await removeExposure(database.db, desired.id, at(1))).toBe(true);
    expect(await loadDesiredExposure(database.db, desired.id)).toBeNull();
    expect(await database.db.virtualAddress.count({ where: { organizationId: ctx.organizationId } })).toBe(0);
    expect(await feed()).toEqual(["load-balancer", "address-pool", "exposure"]);
    expect(await removeExposure(database.db, desired.id, at(2))).toBe(false);
  });
});
