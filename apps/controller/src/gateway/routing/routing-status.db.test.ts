import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  getRoutingSummary,
  listAnnouncements,
  listBgpSessions,
  listRoutes,
  revokeAgent,
  updateCluster,
} from "@fairlead/services";
import { expect, it } from "vitest";
import { bgpStatus, onRoutingStage, type RoutingStage, routing } from "../testing/routing-stage.ts";
import { pod } from "../testing/test-balancer.ts";

let fixture: RoutingStage["fixture"];
let join: RoutingStage["join"];
onRoutingStage((stage) => {
  ({ fixture, join } = stage);
});

const all = { limit: 50, direction: "asc" } as const;
const announcements = (more: object = {}) =>
  listAnnouncements(fixture.now(), { ...all, sort: "prefix", clusterId: fixture.clusterId, ...more });
const sessions = (more: object = {}) =>
  listBgpSessions(fixture.now(), { ...all, sort: "nodeName", clusterId: fixture.clusterId, ...more });
const routes = (more: object = {}) =>
  listRoutes(fixture.now(), { ...all, sort: "prefix", clusterId: fixture.clusterId, ...more });

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
    bgpStatus({
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
  await router.report(bgpStatus({ as: 65_100, routes: [{ prefix: "192.0.2.7/32", since, nextHops: hops }] }));

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
    bgpStatus({
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
  await speaker.report(bgpStatus({ as: 65_021, sessions: [{ ...session, ...timers }] }));
  const { items } = await sessions();
  expect(items).toMatchObject([{ ...timers, messagesIn: 5, messagesOut: 6, isStale: false }]);
  const [seen] = items;

  // The session has more details, which are shown but create no event.
  await speaker.report(bgpStatus({ as: 65_021, sessions: [{ ...session, ...timers, messagesIn: 50n }] }));
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
