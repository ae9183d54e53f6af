import { create } from "@bufbuild/protobuf";
import { BackendRoleStatusSchema } from "@fairlead/agent-protocol";
import { type Exposure, type SessionStrategy, sessionDefaults } from "@fairlead/domain/exposure";
import { silentAgentsSweep } from "@fairlead/reconciler";
import { createExposure, deleteExposure, markDirty, pauseExposure, revokeAgent } from "@fairlead/services";
import { afterEach, expect, it, vi } from "vitest";
import {
  type BalancerFixture,
  type BalancerStage,
  hourMs,
  onBalancerStage,
  patience,
} from "../testing/balancer-stage.ts";
import { silence } from "../testing/carried.ts";
import { companionOf, startTestBackend, type TestBackend } from "../testing/test-backend.ts";
import { pod, podAddress } from "../testing/test-balancer.ts";

let stage: BalancerStage;
let fixture: BalancerFixture;
let backends: TestBackend[];
onBalancerStage((set, entered) => {
  stage = set;
  fixture = entered;
  backends = [];
});
afterEach(async () => {
  await Promise.all(backends.map((each) => each.stop()));
});

async function addBackend(nodeName: string): Promise<TestBackend> {
  const backend = await startTestBackend(fixture.now(), stage.port, fixture.clusterId, nodeName);
  backends.push(backend);
  return backend;
}

async function expose(replicas = 1): Promise<Exposure> {
  const { spec } = fixture;
  const poolId = "poolId" in spec.strategy ? (spec.strategy.poolId ?? "") : "";
  const serverNames = ["web.example.com"];
  const strategy: SessionStrategy = { type: "session", replicas, poolId, ...sessionDefaults, serverNames };
  return createExposure(fixture.now(), { ...spec, strategy });
}

const service = (replica = 0) => fixture.balancers[replica]?.services()[0];
const taking = (replica = 0) =>
  Object.fromEntries((service(replica)?.backends ?? []).map((each) => [each.address, each.session?.companion]));
const condition = async (id: string) =>
  (await fixture.exposure(id)).conditions.find((each) => each.type === "BySession");
const keysOf = (id: string) =>
  fixture
    .now()
    .db.sessionKey.findMany({ where: { clusterId: id }, orderBy: { epoch: "asc" }, omit: { sealed: false } });
/** settled waits until each agent next to servers runs its newest config, and reconciliations are done. */
const settled = () =>
  vi.waitFor(async () => {
    const { db } = stage.database;
    const replicas = backends.flatMap((each) => each.servers().map((server) => server.replicas.length));
    expect(replicas.every((each) => each > 0)).toBe(true);
    expect(
      await db.reconcileTask.count({ where: { OR: [{ dueAt: { lte: new Date() } }, { lease: { not: null } }] } }),
    ).toBe(0);
    for (const { agentId } of backends) {
      const config = await db.nodeConfig.findUniqueOrThrow({ where: { agentId } });
      const status = await db.nodeStatus.findUniqueOrThrow({ where: { agentId } });
      expect(status.observedRevision).toBe(config.revision);
    }
  }, patience);
/** sweep marks silent agents, as the controller does at intervals. */
const sweep = () => silentAgentsSweep(stage.database.db, () => new Date(), { lastsMs: () => hourMs, lookedAt() {} })();

it("gives balancers and the agents of backends the same keys, and passes readiness and addresses between them", async () => {
  await fixture.join(2);
  await fixture.runs([pod(1, { nodeName: "m1" }), pod(2, { nodeName: "m2" })]);
  const { id } = await expose(2);
  const m1 = await addBackend("m1");
  const m2 = await addBackend("m2");

  await vi.waitFor(async () => expect(await fixture.exposure(id)).toMatchObject({ phase: "serving" }), patience);
  const companions = [1, 2].map((number) => [podAddress(number), companionOf(podAddress(number))]);
  for (const replica of [0, 1])
    await vi.waitFor(() => expect(taking(replica)).toEqual(Object.fromEntries(companions)), patience);
  expect(service()).toMatchObject({
    delivery: "direct",
    session: { names: "learned", ids: true, ticketSeconds: 86_400 },
  });
  expect(service()?.session?.serverNames).toEqual(["web.example.com"]);
  expect(fixture.balancers[0]?.configs.at(-1)?.balancer?.engine).toBe("tcx");
  const keys = service()?.session?.keys;
  expect(keys?.current).toHaveLength(64);
  expect(keys?.previous).toHaveLength(0);

  const [address] = (await fixture.exposure(id)).addresses;
  await vi.waitFor(() => expect(m1.servers()[0]?.replicas).toEqual(["10.9.0.1:7447", "10.9.0.2:7447"]), patience);
  expect(m1.servers()).toMatchObject([
    { exposureId: id, instance: "web-1", ownAddress: podAddress(1), address, port: 80, number: 1, keys },
  ]);
  expect(m2.servers()).toMatchObject([{ instance: "web-2", number: 2, keys }]);
  const numbers = service()?.backends.map((each) => [each.address, each.session?.number]) ?? [];
  expect(Object.fromEntries(numbers)).toEqual({ [podAddress(1)]: 1, [podAddress(2)]: 2 });

  await vi.waitFor(async () => {
    const { session } = await fixture.exposure(id);
    expect(session).toMatchObject({
      message: "Placed by TLS session, on 2 of 2 backends.",
      key: { epoch: 1 },
      replicas: [
        { bySession: true, problem: "" },
        { bySession: true, problem: "" },
      ],
    });
    expect(session?.backends[0]).toMatchObject({
      ...{ number: 1, takesConnections: true, message: "", agentId: m1.agentId, nodeName: "m1", tickets: "stable" },
      names: [{ name: "ab01", since: new Date(1_700_000_000_000) }],
    });
  }, patience);
  const met = { status: "true", reason: "BySession" };
  await vi.waitFor(async () => expect(await condition(id)).toMatchObject(met), patience);
});

it("places each connection on its own while no backend takes them, and shows why", async () => {
  await fixture.join(1);
  await fixture.runs([pod(1, { nodeName: "m1" })]);
  const { id } = await expose();
  await vi.waitFor(async () => expect(await condition(id)).toMatchObject({ reason: "NotBySession" }), patience);
  expect((await condition(id))?.message).toContain("The node m1 has no agent of the role backend: add one.");
  await vi.waitFor(async () => expect(await fixture.exposure(id)).toMatchObject({ phase: "degraded" }), patience);
  expect(taking()).toEqual({ [podAddress(1)]: undefined });

  const m1 = await addBackend("m1");
  await vi.waitFor(async () => expect(await fixture.exposure(id)).toMatchObject({ phase: "serving" }), patience);
  m1.failing.set("web-1", "Linux 6.6 has no bpf_sk_assign_tcp_reqsk: install 6.9 or newer.");
  await m1.say();
  await vi.waitFor(() => expect(taking()).toEqual({ [podAddress(1)]: undefined }), patience);
  await vi.waitFor(async () => expect((await condition(id))?.message).toContain("install 6.9 or newer"), patience);
});

it("shows the problem of a replica that can't place connections by TLS session", async () => {
  await fixture.join(1);
  await fixture.runs([pod(1, { nodeName: "m1" })]);
  await addBackend("m1");
  const { id } = await expose();
  await vi.waitFor(async () => expect(await fixture.exposure(id)).toMatchObject({ phase: "serving" }), patience);
  const [balancer] = fixture.balancers;
  if (!balancer) throw new Error("a balancer joined");
  balancer.session.problem = "The engine nftables can't read TLS.";
  await balancer.say();
  await vi.waitFor(async () => expect((await condition(id))?.message).toContain("nftables can't read TLS"), patience);
  const { session } = await fixture.exposure(id);
  expect(session?.message).toBe("Places each connection on its own. The engine nftables can't read TLS.");
});

it("passes no connections to a backend whose agent is silent, until it reports again", async () => {
  await fixture.join(1);
  await fixture.runs([pod(1, { nodeName: "m1" }), pod(2, { nodeName: "m2" })]);
  const [m1] = [await addBackend("m1"), await addBackend("m2")];
  const { id } = await expose();
  const both = { [podAddress(1)]: companionOf(podAddress(1)), [podAddress(2)]: companionOf(podAddress(2)) };
  await vi.waitFor(() => expect(taking()).toEqual(both), patience);
  await settled();
  await silence(stage, m1?.agentId, 120);
  await sweep();
  await vi.waitFor(() => expect(taking()).toEqual({ ...both, [podAddress(1)]: undefined }), patience);
  await vi.waitFor(async () => expect(await condition(id)).toMatchObject({ reason: "BackendsNotBySession" }), patience);
  expect((await condition(id))?.message).toContain("The agent of the role backend on m1 does not report.");
  await m1?.say();
  await vi.waitFor(() => expect(taking()).toEqual(both), patience);
});

it("passes no connections to a backend whose agent is revoked", async () => {
  await fixture.join(1);
  await fixture.runs([pod(1, { nodeName: "m1" })]);
  const m1 = await addBackend("m1");
  await expose();
  await vi.waitFor(() => expect(taking()).toEqual({ [podAddress(1)]: companionOf(podAddress(1)) }), patience);
  await revokeAgent(fixture.now(), m1.agentId);
  await vi.waitFor(() => expect(taking()).toEqual({ [podAddress(1)]: undefined }), patience);
});

it("lets an agent report only on servers of its own node", async () => {
  await fixture.join(1);
  await fixture.runs([pod(1, { nodeName: "m1" })]);
  const { id } = await expose();
  await vi.waitFor(() => expect(service()?.backends).toHaveLength(1), patience);
  const foreign = await addBackend("m2");
  const [backend] = service()?.backends ?? [];
  const server = {
    backendId: backend?.id ?? "",
    loadBalancerId: "",
    ready: true,
    message: "",
    companion: "10.66.0.1:7446",
  };
  await foreign.report({ backend: create(BackendRoleStatusSchema, { servers: [server] }) });
  expect(await stage.database.db.backendServerStatus.count({ where: { backendId: backend?.id ?? "" } })).toBe(0);
  expect((await fixture.exposure(id)).session?.backends).toMatchObject([{ takesConnections: false }]);
});

it("accepts no report of an agent whose instance is on another node now", async () => {
  await fixture.join(1);
  await fixture.runs([pod(1, { nodeName: "m1" })]);
  const m1 = await addBackend("m1");
  await expose();
  await vi.waitFor(() => expect(taking()).toEqual({ [podAddress(1)]: companionOf(podAddress(1)) }), patience);
  const [backend] = service()?.backends ?? [];
  const server = { backendId: backend?.id ?? "", ready: true, companion: companionOf(podAddress(1)) };
  await m1.stop(); // it reports no more on its own
  await fixture.runs([pod(1, { nodeName: "m2" })]);
  await vi.waitFor(async () => {
    await m1.report({ backend: create(BackendRoleStatusSchema, { servers: [server] }) });
    expect(await stage.database.db.backendServerStatus.count({ where: { backendId: server.backendId } })).toBe(0);
  }, patience);
  await vi.waitFor(() => expect(taking()).toEqual({ [podAddress(1)]: undefined }), patience);
});

it("delivers to pods at the service address as long as one took connections a short time ago", async () => {
  await fixture.join(1);
  await fixture.runs([pod(1, { nodeName: "m1" })]);
  const m1 = await addBackend("m1");
  const { id } = await expose();
  await vi.waitFor(async () => expect(await fixture.exposure(id)).toMatchObject({ phase: "serving" }), patience);
  await settled();
  const { db } = fixture.now();
  await db.cluster.update({ where: { id: fixture.clusterId }, data: { kind: "kubernetes" } });
  const tookBefore = (ms: number) =>
    db.exposureSession.update({ where: { exposureId: id }, data: { takenAt: new Date(Date.now() - ms) } });
  await tookBefore(hourMs);

  m1.failing.set("web-1", "Its agent was started again.");
  await m1.say();
  await vi.waitFor(() => expect(taking()).toEqual({ [podAddress(1)]: undefined }), patience);
  expect(service()).toMatchObject({ delivery: "direct" });
  await tookBefore(hourMs);
  await markDirty(db, "exposure", id);
  await vi.waitFor(() => expect(service()).toMatchObject({ delivery: "nat" }), patience);
  expect(service()?.session).toBeUndefined();
  m1.failing.clear();
  await m1.say();
  await vi.waitFor(() => expect(service()).toMatchObject({ delivery: "direct", session: { ids: true } }), patience);
});

it("changes the key of a cluster once a day, and keeps the one before, while a paused exposure gets both too", async () => {
  await fixture.join(1);
  await fixture.runs([pod(1, { nodeName: "m1" })]);
  const m1 = await addBackend("m1");
  const { id } = await expose();
  await vi.waitFor(async () => expect(await fixture.exposure(id)).toMatchObject({ phase: "serving" }), patience);
  const first = service()?.session?.keys?.current;
  const { db } = fixture.now();
  const agesBy = (ms: number) =>
    db.sessionKey.updateMany({
      where: { clusterId: fixture.clusterId },
      data: { createdAt: new Date(Date.now() - ms) },
    });

  await agesBy(23 * hourMs);
  await markDirty(db, "cluster", fixture.clusterId);
  await vi.waitFor(
    async () =>
      expect(await db.reconcileTask.count({ where: { kind: "cluster", objectId: fixture.clusterId } })).toBe(0),
    patience,
  );
  expect(await keysOf(fixture.clusterId)).toMatchObject([{ epoch: 1 }]);

  // All agents accept the new key before any uses it.
  await agesBy(24 * hourMs);
  await markDirty(db, "exposure", id);
  await vi.waitFor(() => expect(service()?.session?.keys?.previous).toHaveLength(64), patience);
  expect(service()?.session?.keys?.current).toEqual(first);
  const second = service()?.session?.keys?.previous;
  await vi.waitFor(() => expect(m1.servers()[0]?.keys).toMatchObject({ current: first, previous: second }), patience);
  await agesBy(hourMs);
  await markDirty(db, "exposure", id);
  for (const keys of [() => service()?.session?.keys, () => m1.servers()[0]?.keys])
    await vi.waitFor(() => expect(keys()).toMatchObject({ current: second, previous: first }), patience);

  await pauseExposure(fixture.now(), id);
  await agesBy(25 * hourMs);
  await markDirty(db, "cluster", fixture.clusterId);
  for (const keys of [() => service()?.session?.keys, () => m1.servers()[0]?.keys])
    await vi.waitFor(() => {
      expect(keys()?.current).toEqual(second);
      expect(keys()?.previous).not.toEqual(first);
    }, patience);
  expect(await keysOf(fixture.clusterId)).toMatchObject([{ epoch: 2 }, { epoch: 3 }]);
});

it("never discloses a key", async () => {
  await fixture.join(1);
  await fixture.runs([pod(1, { nodeName: "m1" })]);
  const m1 = await addBackend("m1");
  const { id } = await expose();
  await vi.waitFor(async () => expect(await fixture.exposure(id)).toMatchObject({ phase: "serving" }), patience);
  const derived = Buffer.from(service()?.session?.keys?.current ?? []);
  expect(Buffer.from(m1.servers()[0]?.keys?.current ?? []).equals(derived)).toBe(true);
  const { db } = fixture.now();
  const [{ sealed = "" } = {}] = await keysOf(fixture.clusterId);
  expect(sealed).not.toBe("");
  const shown = [
    await fixture.exposure(id),
    await db.sessionKey.findMany(),
    await db.auditEntry.findMany(),
    await db.feedEntry.findMany(),
    await db.event.findMany(),
  ].map(inText);
  for (const text of [...shown, inText(await db.nodeConfig.findMany())])
    for (const encoding of ["hex", "base64", "base64url"] as const)
      expect(text).not.toContain(derived.toString(encoding));
  // Sealed, it is only in its table and in stored configs.
  for (const text of shown) expect(text).not.toContain(sealed);
  expect(inText(await db.nodeConfig.findMany())).toContain(sealed);
});

it("keeps the number of an instance that returns, and releases it meanwhile", async () => {
  await fixture.join(1);
  const both = [pod(1, { nodeName: "m1" }), pod(2, { nodeName: "m1" })];
  await fixture.runs(both);
  const { id } = await expose();
  const numbers = async () =>
    (await stage.database.db.sessionNumber.findMany({ where: { exposureId: id }, orderBy: { instance: "asc" } })).map(
      ({ instance, number, releasedAt }) => [instance, number, releasedAt !== null],
    );
  const first = [["web-1", 1, false] as const, ["web-2", 2, false] as const];
  await vi.waitFor(async () => expect(await numbers()).toEqual(first), patience);
  await fixture.runs(both.slice(1));
  await vi.waitFor(async () => expect(await numbers()).toEqual([["web-1", 1, true], first[1]]), patience);
  await fixture.runs([...both, pod(3, { nodeName: "m1" })]);
  await vi.waitFor(async () => expect(await numbers()).toEqual([...first, ["web-3", 3, false]]), patience);
});

it("takes an exposure off the agents of its backends before its address is free", async () => {
  await fixture.join(1);
  await fixture.runs([pod(1, { nodeName: "m1" })]);
  const m1 = await addBackend("m1");
  const { id } = await expose();
  await vi.waitFor(() => expect(m1.servers()).toHaveLength(1), patience);
  await deleteExposure(fixture.now(), id);
  await vi.waitFor(async () => expect(await stage.database.db.exposure.count({ where: { id } })).toBe(0), patience);
  await vi.waitFor(() => expect(m1.servers()).toEqual([]), patience);
});

function inText(value: unknown): string {
  return JSON.stringify(value, (_, each) => (typeof each === "bigint" ? String(each) : each));
}
