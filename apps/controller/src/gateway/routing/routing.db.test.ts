import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { BgpStatusSchema, type NodeConfig } from "@fairlead/agent-protocol";
import { updateCluster as updateClusterInput } from "@fairlead/domain/cluster";
import {
  createAddressPool,
  deleteExposure,
  getCluster,
  getRoutingSummary,
  listAnnouncements,
  listBgpSessions,
  listRoutes,
  revokeAgent,
  updateCluster,
  updateNode,
  writeRouterConfig,
} from "@fairlead/services";
import { expect, it, vi } from "vitest";
import { type BalancerFixture, type BalancerStage, onBalancerStage, patience } from "../testing/balancer-stage.ts";
import { enrollTestAgent, type TestAgent } from "../testing/test-agent.ts";
import { pod } from "../testing/test-balancer.ts";

const password = "known-to-routers-alone";
const routing = updateClusterInput.parse({
  routing: {
    asn: 65_021,
    balancers: ["10.9.0.0/24"],
    reflectors: [{ name: "rr-1", address: "10.9.0.11" }],
    routers: [{ name: "tor-1", address: "10.9.0.254", asn: 65_100 }],
    detection: { intervalMs: 100 },
    communities: ["65021:100"],
    password,
  },
});

let stage: BalancerStage;
let fixture: BalancerFixture;
onBalancerStage((ours, entered) => {
  stage = ours;
  fixture = entered;
});

type Peer = TestAgent & { newest: () => NodeConfig | undefined };

/** join enrols an agent of a role that speaks BGP, which follows its configs until the test ends. */
async function join(nodeName: string, role: string): Promise<Peer> {
  const agent = await enrollTestAgent(fixture.now(), stage.port, fixture.clusterId, nodeName, [role]);
  let newest: NodeConfig | undefined;
  const follow = async () => {
    for await (const { message } of agent.client.watch({ info: { version: "1.0.0", roles: [role] } }))
      if (message.case === "config") newest = message.value;
  };
  follow().catch(() => undefined); // until its connection is closed
  return { ...agent, newest: () => newest };
}

const status = (fields: MessageInitShape<typeof BgpStatusSchema>) => ({ bgp: create(BgpStatusSchema, fields) });
const all = { limit: 50, direction: "asc" } as const;
const announcements = (more: object = {}) =>
  listAnnouncements(fixture.now(), { ...all, sort: "prefix", clusterId: fixture.clusterId, ...more });
const sessions = (more: object = {}) =>
  listBgpSessions(fixture.now(), { ...all, sort: "nodeName", clusterId: fixture.clusterId, ...more });
const routes = (more: object = {}) =>
  listRoutes(fixture.now(), { ...all, sort: "prefix", clusterId: fixture.clusterId, ...more });

it("configures a speaker with what the balancer at its address carries, and the accepted prefixes of reflectors and routers", async () => {
  const { id } = await fixture.serve(2, [pod(1)]);
  const [address] = (await fixture.exposure(id)).addresses;
  const speaker = await join("n1", "speaker");
  const beside = await join("n1", "speaker"); // of a pod without a balancer
  const reflector = await join("rr-1", "reflector");
  const router = await join("tor-1", "router");
  await speaker.report(status({ address: "10.9.0.1" }));
  await beside.report(status({ address: "10.9.0.77" }));
  await updateCluster(fixture.now(), fixture.clusterId, routing);

  await vi.waitFor(() => expect(speaker.newest()?.speaker?.services).toHaveLength(1), patience);
  const { speaker: role } = speaker.newest() ?? {};
  expect(role).toMatchObject({
    drainMs: 30_000,
    bgp: {
      as: 65_021,
      peers: [
        { address: "10.9.0.11", as: 65_021, password, holdSeconds: 9, detectIntervalMs: 100, detectMultiplier: 3 },
      ],
    },
    services: [
      {
        prefix: `${address}/32`,
        preference: 100,
        communities: ["65021:100"],
        plain: false,
        leaving: false,
        probes: [{ address, port: 80, protocol: "tcp" }],
      },
    ],
  });
  await vi.waitFor(() => expect(beside.newest()?.speaker).toMatchObject({ services: [] }), patience);
  await vi.waitFor(
    () =>
      expect(reflector.newest()?.reflector).toMatchObject({
        accepts: ["192.0.2.0/24"],
        bgp: {
          peers: [
            { callers: "10.9.0.0/24", as: 65_021, client: true, password },
            { address: "10.9.0.254", as: 65_100, client: false, password },
          ],
        },
      }),
    patience,
  );
  await vi.waitFor(
    () =>
      expect(router.newest()?.router).toMatchObject({
        accepts: ["192.0.2.0/24"],
        keepMs: 300_000,
        bgp: { as: 65_100, peers: [{ address: "10.9.0.11", as: 65_021, password }] },
      }),
    patience,
  );

  await createAddressPool(fixture.now(), {
    clusterId: fixture.clusterId,
    name: "more",
    prefix: "198.51.100.0/24",
    note: "",
  });
  const wider = ["192.0.2.0/24", "198.51.100.0/24"];
  await vi.waitFor(() => expect(reflector.newest()?.reflector?.accepts).toEqual(wider), patience);
  await vi.waitFor(() => expect(router.newest()?.router?.accepts).toEqual(wider), patience);

  await fixture.balancers[0]?.hold(); // it still carries the deleted service
  await deleteExposure(fixture.now(), id);
  await vi.waitFor(() => expect(speaker.newest()?.speaker?.services).toMatchObject([{ leaving: true }]), patience);
  await fixture.balancers[0]?.release();
  await vi.waitFor(() => expect(speaker.newest()?.speaker?.services).toEqual([]), patience);

  await updateCluster(fixture.now(), fixture.clusterId, { routing: null });
  await vi.waitFor(() => expect(speaker.newest()?.speaker).toBeUndefined(), patience);
  await vi.waitFor(() => expect(reflector.newest()?.reflector).toBeUndefined(), patience);
  for (const each of [speaker, beside, reflector, router]) each.close();
});

it("configures the MED and the keepalive interval of the cluster, until they are reset", async () => {
  await fixture.serve(1, [pod(1)]);
  const speaker = await join("n1", "speaker");
  await speaker.report(status({ address: "10.9.0.1" }));
  const said = () => {
    const { services, bgp } = speaker.newest()?.speaker ?? {};
    return [services?.map((each) => each.med), bgp?.peers.map((each) => each.keepAliveSeconds)];
  };
  const patch = (more: object) =>
    updateCluster(
      fixture.now(),
      fixture.clusterId,
      updateClusterInput.parse({ routing: { ...routing.routing, ...more } }),
    );
  await patch({ med: 4_294_967_295, keepaliveSeconds: 2 });
  await vi.waitFor(() => expect(said()).toEqual([[4_294_967_295], [2]]), patience);
  await patch({});
  await vi.waitFor(() => expect(said()).toEqual([[0], [0]]), patience);
  speaker.close();
});

it("makes all speakers of a draining node leave, and no others", async () => {
  await fixture.serve(2, [pod(1)]);
  const speakers = [await join("n1", "speaker"), await join("n1", "speaker"), await join("n2", "speaker")];
  await updateCluster(fixture.now(), fixture.clusterId, routing);
  const leaving = () => speakers.map((each) => each.newest()?.speaker?.leaving);
  await vi.waitFor(() => expect(leaving()).toEqual([false, false, false]), patience);
  const [{ nodeId = "" } = {}] = speakers;
  await updateNode(fixture.now(), nodeId, { draining: true });
  await vi.waitFor(() => expect(leaving()).toEqual([true, true, false]), patience);
  await updateNode(fixture.now(), nodeId, { draining: false });
  await vi.waitFor(() => expect(leaving()).toEqual([false, false, false]), patience);
  for (const each of speakers) each.close();
});

it("never discloses the password", async () => {
  const { db } = fixture.now();
  const speaker = await join("n1", "speaker");
  await updateCluster(fixture.now(), fixture.clusterId, routing);
  await vi.waitFor(() => expect(speaker.newest()?.speaker?.bgp?.peers[0]?.password).toBe(password), patience);
  const shown = await getCluster(fixture.now(), fixture.clusterId);
  expect(shown.routing).toMatchObject({ asn: 65_021, hasPassword: true });
  const stored = [
    shown,
    await db.cluster.findMany(),
    await db.nodeConfig.findMany(),
    await db.auditEntry.findMany(),
    await db.feedEntry.findMany(),
    await db.event.findMany(),
  ].map((each) => JSON.stringify(each, (_, value) => (typeof value === "bigint" ? String(value) : value)));
  for (const text of stored) expect(text).not.toContain(password);
  expect(stored[3]).toContain('"routingPassword":"changed"');

  const { password: _, ...without } = routing.routing ?? {};
  const again = updateClusterInput.parse({ routing: without });
  expect((await updateCluster(fixture.now(), fixture.clusterId, again)).generation).toBe(shown.generation);
  const none = updateClusterInput.parse({ routing: { ...without, password: null } });
  expect((await updateCluster(fixture.now(), fixture.clusterId, none)).routing).toMatchObject({ hasPassword: false });
  await vi.waitFor(() => expect(speaker.newest()?.speaker?.bgp?.peers[0]?.password).toBe(""), patience);
  speaker.close();
});

it("shows the state that agents report, as long as they report it", async () => {
  await fixture.serve(1, [pod(1)]);
  await updateCluster(fixture.now(), fixture.clusterId, routing);
  const loadBalancerId = fixture.balancers[0]?.services()[0]?.loadBalancerId ?? "";
  const speaker = await join("n1", "speaker");
  const router = await join("tor-1", "router");
  const since = timestampFromDate(new Date(Date.now() - 60_000));
  const offered = { prefix: "192.0.2.7/32", nextHop: "10.9.0.1", loadBalancerId, state: "offered", since, reason: "" };
  const reason = "Not announced: the probe has been failing since 11:59:00 UTC (connection refused).";
  const session = { peer: "10.9.0.11", as: 65_021, state: "established", since, establishedCount: 1n, received: 2n };
  await speaker.report(
    status({
      address: "10.9.0.1",
      as: 65_021,
      sessions: [session, { peer: "nonsense", state: "established" }, { peer: "10.9.0.12", state: "dancing" }],
      announcements: [offered, { ...offered, prefix: "192.0.2.8/32", loadBalancerId: "", state: "withdrawn", reason }],
    }),
  );
  const hops = [
    { address: "10.9.0.1", weight: 1, since },
    { address: "10.9.0.9", weight: 1, since },
  ];
  await router.report(status({ as: 65_100, routes: [{ prefix: "192.0.2.7/32", since, nextHops: hops }] }));

  expect((await sessions()).items).toMatchObject([
    {
      nodeName: "n1",
      role: "speaker",
      peerAddress: "10.9.0.11",
      peerName: "rr-1",
      state: "established",
      establishedCount: 1,
    },
  ]);
  expect((await announcements()).items).toMatchObject([
    { prefix: "192.0.2.7/32", state: "offered", loadBalancerId, nextHop: "10.9.0.1", reason: "" },
    { prefix: "192.0.2.8/32", state: "withdrawn", loadBalancerId: null, loadBalancerName: null, reason },
  ]);
  expect((await announcements({ covers: "192.0.2.8" })).items).toHaveLength(1);
  expect((await announcements({ state: ["offered"] })).items).toHaveLength(1);
  const [route] = (await routes({ covers: "192.0.2.7" })).items;
  expect(route).toMatchObject({
    nodeName: "tor-1",
    prefix: "192.0.2.7/32",
    nextHops: [
      { address: "10.9.0.1", nodeName: "n1" },
      { address: "10.9.0.9", nodeName: "", nodeId: null },
    ],
  });
  expect(route?.nextHops[0]?.since).toBeInstanceOf(Date);
  expect((await routes({ covers: "192.0.2.9" })).items).toEqual([]);

  const [before] = (await sessions()).items;
  await speaker.report(
    status({
      address: "10.9.0.1",
      as: 65_021,
      sessions: [{ ...session, state: "idle", lastError: "the hold timer expired" }],
    }),
  );
  const [after] = (await sessions()).items;
  expect(after).toMatchObject({ id: before?.id, state: "idle", lastError: "the hold timer expired" });
  expect((await announcements()).items).toEqual([]);

  await revokeAgent(fixture.now(), speaker.agentId);
  expect((await sessions()).items).toEqual([]);
  for (const each of [speaker, router]) each.close();
});

it("shows BGP state as outdated while an agent reports without it", async () => {
  const speaker = await join("n1", "speaker");
  const session = { peer: "10.9.0.11", as: 65_021, state: "established", messagesIn: 5n, messagesOut: 6n };
  const timers = { holdSeconds: 9, keepaliveSeconds: 3, detectIntervalMs: 100, detectMultiplier: 3 };
  await speaker.report(status({ as: 65_021, sessions: [{ ...session, ...timers }] }));
  const { items } = await sessions();
  expect(items).toMatchObject([{ ...timers, messagesIn: 5, messagesOut: 6, isStale: false }]);
  const [seen] = items;

  // The session has more details, which are shown but create no event.
  await speaker.report(status({ as: 65_021, sessions: [{ ...session, ...timers, messagesIn: 50n }] }));
  const [again] = (await sessions()).items;
  expect(again).toMatchObject({ messagesIn: 50 });
  expect(again?.observedAt.getTime()).toBeGreaterThan(seen?.observedAt.getTime() ?? 0);

  await speaker.report({ warnings: ["The host could not be observed: no netlink."] });
  expect((await sessions()).items[0]?.observedAt).toEqual(again?.observedAt);
  const long = new Date(Date.now() - 60_000);
  await fixture.now().db.bgpStatus.update({ where: { agentId: speaker.agentId }, data: { observedAt: long } });
  await fixture.now().db.bgpSession.updateMany({ where: { agentId: speaker.agentId }, data: { observedAt: long } });
  await speaker.report({ warnings: ["The host could not be observed: no netlink."] });
  expect((await sessions()).items).toMatchObject([{ isStale: true, observedAt: long }]);
  const { sessions: counted } = await getRoutingSummary(fixture.now(), { clusterId: fixture.clusterId });
  expect(counted).toEqual({ total: 1, up: 0, down: 0, stale: 1 });
  speaker.close();
});

it("writes the source addresses of balancers into the configuration of a router that needs them", async () => {
  const { routing: settings } = routing;
  const direct = updateClusterInput.parse({ routing: { ...settings, reflectors: [], password } });
  await updateCluster(fixture.now(), fixture.clusterId, direct);
  const speaker = await join("n1", "speaker");
  const announcements = [
    { prefix: "192.0.2.7/32", nextHop: "10.9.0.1", state: "offered" },
    { prefix: "2001:db8::7/128", nextHop: "fd09::1", state: "offered" },
  ];
  await speaker.report(status({ address: "10.9.0.1", announcements }));
  const { text } = await writeRouterConfig(fixture.now(), fixture.clusterId, { format: "ios-xr" });
  expect(text.match(/^ neighbor .*/gm)).toEqual([" neighbor 10.9.0.1"]);
  expect(text).not.toContain(password);
  speaker.close();
});
