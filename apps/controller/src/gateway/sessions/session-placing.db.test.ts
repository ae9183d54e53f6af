import { create } from "@bufbuild/protobuf";
import { BackendRoleStatusSchema } from "@fairlead/agent-protocol";
import { markDirty, revokeAgent, updateExposure } from "@fairlead/services";
import { expect, it, vi } from "vitest";
import { hourMs, patience } from "../testing/balancer-stage.ts";
import { silence } from "../testing/carried.ts";
import { onSessionStage } from "../testing/session-stage.ts";
import { companionOf } from "../testing/test-backend.ts";
import { pod, podAddress } from "../testing/test-balancer.ts";

const { stage, fixture, addBackend, expose, service, taking, condition, settled, sweep } = onSessionStage();

it("gives balancers and the agents of backends the same keys, and passes readiness and addresses between them", async () => {
  await fixture().join(2);
  await fixture().runs([pod(1, { nodeName: "m1" }), pod(2, { nodeName: "m2" })]);
  const { id } = await expose(2);
  const m1 = await addBackend("m1");
  const m2 = await addBackend("m2");

  await vi.waitFor(async () => expect(await fixture().exposure(id)).toMatchObject({ phase: "serving" }), patience);
  const companions = [1, 2].map((number) => [podAddress(number), companionOf(podAddress(number))]);
  for (const replica of [0, 1])
    await vi.waitFor(() => expect(taking(replica)).toEqual(Object.fromEntries(companions)), patience);
  expect(service()).toMatchObject({
    delivery: "direct",
    session: { names: "learned", ids: true, ticketSeconds: 86_400 },
  });
  expect(service()?.session?.serverNames).toEqual(["web.example.com"]);
  expect(fixture().balancers[0]?.configs.at(-1)?.balancer?.engine).toBe("tcx");
  const keys = service()?.session?.keys;
  expect(keys?.current).toHaveLength(64);
  expect(keys?.previous).toHaveLength(0);

  const [address] = (await fixture().exposure(id)).addresses;
  await vi.waitFor(() => expect(m1.servers()[0]?.replicas).toEqual(["10.9.0.1:7447", "10.9.0.2:7447"]), patience);
  expect(m1.servers()).toMatchObject([
    {
      exposureId: id,
      instance: "web-1",
      ownAddress: podAddress(1),
      address,
      port: 80,
      number: 1,
      keys,
      ticketSeconds: 86_400,
    },
  ]);
  expect(m2.servers()).toMatchObject([{ instance: "web-2", number: 2, keys }]);
  const numbers = service()?.backends.map((each) => [each.address, each.session?.number]) ?? [];
  expect(Object.fromEntries(numbers)).toEqual({ [podAddress(1)]: 1, [podAddress(2)]: 2 });

  await vi.waitFor(async () => {
    const { session } = await fixture().exposure(id);
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

it("gives the agents of backends the addresses of replicas that have not reported how they place connections", async () => {
  await fixture().join(2);
  for (const balancer of fixture().balancers) balancer.session.address = "";
  await fixture().runs([pod(1, { nodeName: "m1" })]);
  const m1 = await addBackend("m1");
  await expose(2);
  await vi.waitFor(() => expect(m1.servers()[0]?.replicas).toEqual(["10.9.0.1:7447", "10.9.0.2:7447"]), patience);
  const [first] = fixture().balancers;
  if (!first) throw new Error("a balancer joined");
  first.session.address = "10.9.1.1:7447";
  await first.say();
  await vi.waitFor(() => expect(m1.servers()[0]?.replicas).toEqual(["10.9.0.2:7447", "10.9.1.1:7447"]), patience);
});

it("places each connection on its own while no backend takes them, and shows why", async () => {
  await fixture().join(1);
  await fixture().runs([pod(1, { nodeName: "m1" })]);
  const { id } = await expose();
  await vi.waitFor(async () => expect(await condition(id)).toMatchObject({ reason: "NotBySession" }), patience);
  expect((await condition(id))?.message).toContain("The node m1 has no agent of the role backend: add one.");
  await vi.waitFor(async () => expect(await fixture().exposure(id)).toMatchObject({ phase: "degraded" }), patience);
  expect(taking()).toEqual({ [podAddress(1)]: undefined });

  const m1 = await addBackend("m1");
  await vi.waitFor(async () => expect(await fixture().exposure(id)).toMatchObject({ phase: "serving" }), patience);
  m1.failing.set("web-1", "Linux 6.6 has no bpf_sk_assign_tcp_reqsk: install 6.9 or newer.");
  await m1.say();
  await vi.waitFor(() => expect(taking()).toEqual({ [podAddress(1)]: undefined }), patience);
  await vi.waitFor(async () => expect((await condition(id))?.message).toContain("install 6.9 or newer"), patience);
});

it("shows the problem of a replica that can't place connections by TLS session", async () => {
  await fixture().join(1);
  await fixture().runs([pod(1, { nodeName: "m1" })]);
  await addBackend("m1");
  const { id } = await expose();
  await vi.waitFor(async () => expect(await fixture().exposure(id)).toMatchObject({ phase: "serving" }), patience);
  const [balancer] = fixture().balancers;
  if (!balancer) throw new Error("a balancer joined");
  balancer.session.problem = "The engine nftables can't read TLS.";
  await balancer.say();
  await vi.waitFor(async () => expect((await condition(id))?.message).toContain("nftables can't read TLS"), patience);
  const { session } = await fixture().exposure(id);
  expect(session?.message).toBe("Places each connection on its own. The engine nftables can't read TLS.");
});

it("carries an exposure that an earlier version stored without a proxy, as that version did", async () => {
  await fixture().join(1);
  await fixture().runs([pod(1, { nodeName: "m1" })]);
  const { id } = await expose();
  await vi.waitFor(() => expect(service()?.session?.fallbacks).toEqual(["proxy", "plain"]), patience);
  const { db } = fixture().now();
  await db.$executeRaw`UPDATE exposure SET parameters = parameters - 'fallbacks' WHERE id = ${id}`;
  await markDirty(db, "exposure", id);
  await vi.waitFor(() => expect(service()?.session?.fallbacks).toEqual(["plain"]), patience);
});

it("shows which fallback a replica uses", async () => {
  await fixture().join(1);
  await fixture().runs([pod(1, { nodeName: "m1" })]);
  const { id } = await expose();
  await vi.waitFor(() => expect(service()?.session?.fallbacks).toEqual(["proxy", "plain"]), patience);
  const [balancer] = fixture().balancers;
  if (!balancer) throw new Error("a balancer joined");
  Object.assign(balancer.session, { problem: "No backend takes them.", fallback: "proxy" });
  await balancer.say();
  await vi.waitFor(
    async () => expect(await condition(id)).toMatchObject({ status: "false", reason: "ByProxy" }),
    patience,
  );
  const { session } = await fixture().exposure(id);
  expect(session).toMatchObject({
    message: "Carried by a proxy, which places connections by TLS session. No backend takes them.",
    replicas: [{ bySession: false, fallback: "proxy" }],
  });
  Object.assign(balancer.session, { fallback: "plain" });
  await balancer.say();
  await vi.waitFor(async () => expect(await condition(id)).toMatchObject({ reason: "NotBySession" }), patience);
});

it("lets clients return to an instance that is being removed, then only its connections", async () => {
  await fixture().join(1);
  await fixture().runs([pod(1, { nodeName: "m1" }), pod(2, { nodeName: "m2" })]);
  for (const node of ["m1", "m2"]) await addBackend(node);
  const { id, strategy } = await expose();
  if (strategy.type !== "session") throw new Error("it has another strategy");
  await vi.waitFor(() => expect(Object.values(taking()).every(Boolean)).toBe(true), patience);
  const drains = { sessionDrainSeconds: 2, drainSeconds: 5 };
  await updateExposure(fixture().now(), id, { strategy: { ...strategy, ...drains } });
  await settled();
  const states = () => (service()?.backends ?? []).map((each) => [each.address, each.state, each.returns]);
  const stays = [podAddress(2), "active", false];
  await fixture().runs([pod(1, { nodeName: "m1", ready: false }), pod(2, { nodeName: "m2" })]);
  const began = Date.now();
  await vi.waitFor(() => expect(states()).toContainEqual([podAddress(1), "draining", true]), patience);
  await vi.waitFor(() => expect(states()).toContainEqual([podAddress(1), "draining", false]), patience);
  expect(Date.now() - began).toBeGreaterThan(1_900);
  await vi.waitFor(() => expect(states()).toEqual([stays]), patience);
  expect(Date.now() - began).toBeGreaterThan(6_900);
});

it("lets no clients return to an instance that is gone, whose address another one may have", async () => {
  await fixture().join(1);
  await fixture().runs([pod(1, { nodeName: "m1" }), pod(2, { nodeName: "m2" })]);
  for (const node of ["m1", "m2"]) await addBackend(node);
  await expose(1, { sessionDrainSeconds: 3_600, drainSeconds: 1 });
  await vi.waitFor(() => expect(Object.values(taking()).every(Boolean)).toBe(true), patience);
  await settled();
  const states = () => (service()?.backends ?? []).map((each) => [each.address, each.state, each.returns]);
  const stays = [podAddress(2), "active", false];
  await fixture().runs([pod(1, { nodeName: "m1", ready: false }), pod(2, { nodeName: "m2" })]);
  await vi.waitFor(() => expect(states()).toContainEqual([podAddress(1), "draining", true]), patience);
  await fixture().runs([
    pod(3, { nodeName: "m1", addresses: [podAddress(1)], workload: "other", labels: {} }),
    pod(2, { nodeName: "m2" }),
  ]);
  await vi.waitFor(() => expect(states()).toEqual([stays]), patience);
});

it("passes no connections to a backend whose agent is silent, until it reports again", async () => {
  await fixture().join(1);
  await fixture().runs([pod(1, { nodeName: "m1" }), pod(2, { nodeName: "m2" })]);
  const [m1] = [await addBackend("m1"), await addBackend("m2")];
  const { id } = await expose();
  const both = { [podAddress(1)]: companionOf(podAddress(1)), [podAddress(2)]: companionOf(podAddress(2)) };
  await vi.waitFor(() => expect(taking()).toEqual(both), patience);
  await settled();
  await silence(stage(), m1?.agentId, 120);
  await sweep();
  await vi.waitFor(() => expect(taking()).toEqual({ ...both, [podAddress(1)]: undefined }), patience);
  await vi.waitFor(async () => expect(await condition(id)).toMatchObject({ reason: "BackendsNotBySession" }), patience);
  expect((await condition(id))?.message).toContain("The agent of the role backend on m1 does not report.");
  await m1?.say();
  await vi.waitFor(() => expect(taking()).toEqual(both), patience);
});

it("passes no connections to a backend whose agent is revoked before its exposure is reconciled", async () => {
  await fixture().join(1);
  await fixture().runs([pod(1, { nodeName: "m1" })]);
  const m1 = await addBackend("m1");
  m1.failing.set("web-1", "Its agent was started again.");
  const { id } = await expose();
  await vi.waitFor(() => expect(service()?.backends).toHaveLength(1), patience);
  await settled();
  await stage().database.db.$transaction(
    async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM exposure WHERE id = ${id} FOR UPDATE`;
      m1.failing.clear();
      await m1.say();
      await vi.waitFor(() => expect(taking()).toEqual({ [podAddress(1)]: companionOf(podAddress(1)) }), patience);
      await revokeAgent(fixture().now(), m1.agentId);
    },
    { timeout: 60_000 },
  );
  await vi.waitFor(() => expect(taking()).toEqual({ [podAddress(1)]: undefined }), patience);
});

it("lets an agent report only on servers of its own node", async () => {
  await fixture().join(1);
  await fixture().runs([pod(1, { nodeName: "m1" })]);
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
  expect(await stage().database.db.backendServerStatus.count({ where: { backendId: backend?.id ?? "" } })).toBe(0);
  expect((await fixture().exposure(id)).session?.backends).toMatchObject([{ takesConnections: false }]);
});

it("accepts no report of an agent whose instance is on another node now", async () => {
  await fixture().join(1);
  await fixture().runs([pod(1, { nodeName: "m1" })]);
  const m1 = await addBackend("m1");
  await expose();
  await vi.waitFor(() => expect(taking()).toEqual({ [podAddress(1)]: companionOf(podAddress(1)) }), patience);
  const [backend] = service()?.backends ?? [];
  const server = { backendId: backend?.id ?? "", ready: true, companion: companionOf(podAddress(1)) };
  await m1.stop(); // it reports no more on its own
  await fixture().runs([pod(1, { nodeName: "m2" })]);
  await vi.waitFor(async () => {
    await m1.report({ backend: create(BackendRoleStatusSchema, { servers: [server] }) });
    expect(await stage().database.db.backendServerStatus.count({ where: { backendId: server.backendId } })).toBe(0);
  }, patience);
  await vi.waitFor(() => expect(taking()).toEqual({ [podAddress(1)]: undefined }), patience);
});

it("delivers to pods at the service address as long as one took connections a short time ago", async () => {
  await fixture().join(1);
  await fixture().runs([pod(1, { nodeName: "m1" })]);
  const m1 = await addBackend("m1");
  const { id, strategy } = await expose();
  if (strategy.type !== "session") throw new Error("it has another strategy");
  await vi.waitFor(async () => expect(await fixture().exposure(id)).toMatchObject({ phase: "serving" }), patience);
  await settled();
  const { db } = fixture().now();
  await db.cluster.update({ where: { id: fixture().clusterId }, data: { kind: "kubernetes" } });
  const tookBefore = (ms: number) =>
    db.exposureSession.update({ where: { exposureId: id }, data: { takenAt: new Date(Date.now() - ms) } });
  await tookBefore(hourMs);

  m1.failing.set("web-1", "Its agent was started again.");
  await m1.say();
  await vi.waitFor(() => expect(taking()).toEqual({ [podAddress(1)]: undefined }), patience);
  expect(service()).toMatchObject({ delivery: "gue" });
  await tookBefore(hourMs);
  await markDirty(db, "exposure", id);
  await vi.waitFor(() => expect(service()).toMatchObject({ delivery: "proxy", session: { ids: true } }), patience);
  await updateExposure(fixture().now(), id, { strategy: { ...strategy, fallbacks: ["plain"] } });
  await vi.waitFor(() => expect(service()).toMatchObject({ delivery: "nat" }), patience);
  expect(service()?.session).toBeUndefined();
  m1.failing.clear();
  await m1.say();
  await vi.waitFor(() => expect(service()).toMatchObject({ delivery: "gue", session: { ids: true } }), patience);
});
