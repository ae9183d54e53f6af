import { updateCluster as updateClusterInput } from "@fairlead/domain/cluster";
import {
  createAddressPool,
  deleteExposure,
  getCluster,
  updateCluster,
  updateNode,
  writeRouterConfig,
} from "@fairlead/services";
import { expect, it, vi } from "vitest";
import { patience } from "../testing/balancer-stage.ts";
import { bgpStatus, onRoutingStage, password, type RoutingStage, routing } from "../testing/routing-stage.ts";
import { pod } from "../testing/test-balancer.ts";

let fixture: RoutingStage["fixture"];
let join: RoutingStage["join"];
onRoutingStage((stage) => {
  ({ fixture, join } = stage);
});

it("configures a speaker with what the balancer at its address carries, and the accepted prefixes of reflectors and routers", async () => {
  const { id } = await fixture.serve(2, [pod(1)]);
  const [address] = (await fixture.exposure(id)).addresses;
  const speaker = await join("n1", "speaker");
  const beside = await join("n1", "speaker"); // of a pod without a balancer
  const reflector = await join("rr-1", "reflector");
  const router = await join("tor-1", "router");
  await speaker.report(bgpStatus({ address: "10.9.0.1" }));
  await beside.report(bgpStatus({ address: "10.9.0.77" }));
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
  await speaker.report(bgpStatus({ address: "10.9.0.1" }));
  const configured = () => {
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
  await vi.waitFor(() => expect(configured()).toEqual([[4_294_967_295], [2]]), patience);
  await patch({});
  await vi.waitFor(() => expect(configured()).toEqual([[0], [0]]), patience);
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
    await db.cluster.findMany({ omit: { routingPassword: false } }),
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

it("writes the source addresses of balancers into the configuration of a router that needs them", async () => {
  const { routing: settings } = routing;
  const direct = updateClusterInput.parse({ routing: { ...settings, reflectors: [], password } });
  await updateCluster(fixture.now(), fixture.clusterId, direct);
  const speaker = await join("n1", "speaker");
  const announcements = [
    { prefix: "192.0.2.7/32", nextHop: "10.9.0.1", state: "offered" },
    { prefix: "2001:db8::7/128", nextHop: "fd09::1", state: "offered" },
  ];
  await speaker.report(bgpStatus({ address: "10.9.0.1", announcements }));
  const { text } = await writeRouterConfig(fixture.now(), fixture.clusterId, { format: "ios-xr" });
  expect(text.match(/^ neighbor .*/gm)).toEqual([" neighbor 10.9.0.1"]);
  expect(text).not.toContain(password);
  speaker.close();
});
