import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { BgpStatusSchema, type BgpTransitionSchema } from "@fairlead/agent-protocol";
import { type BgpTransition, listBgpTransitions as listInput } from "@fairlead/domain/routing";
import { listBgpSessions, listBgpTransitions, revokeAgent, sweepRecords } from "@fairlead/services";
import { expect, it } from "vitest";
import { type BalancerFixture, type BalancerStage, onBalancerStage } from "../testing/balancer-stage.ts";
import { enrollTestAgent, type TestAgent } from "../testing/test-agent.ts";

let stage: BalancerStage;
let fixture: BalancerFixture;
onBalancerStage((ours, entered) => {
  stage = ours;
  fixture = entered;
});

const join = (nodeName: string, role: string): Promise<TestAgent> =>
  enrollTestAgent(fixture.now(), stage.port, fixture.clusterId, nodeName, [role]);

type Transition = MessageInitShape<typeof BgpTransitionSchema>;
const begun = Date.now() - 60_000;
const transition = (afterMs: number, more: Transition): Transition => ({
  at: timestampFromMs(begun + afterMs),
  ...more,
});
const session = { peer: "10.9.0.11", as: 65_021 };
const down = (afterMs: number) =>
  transition(afterMs, { ...session, from: "established", to: "idle", reason: "the hold timer expired" });
const up = (afterMs: number) => transition(afterMs, { ...session, from: "open-confirm", to: "established" });

const report = (agent: TestAgent, transitions: Transition[], more: MessageInitShape<typeof BgpStatusSchema> = {}) =>
  agent.report({ bgp: create(BgpStatusSchema, { transitions, ...more }) });

const list = async (more: object = {}): Promise<BgpTransition[]> =>
  (
    await listBgpTransitions(
      fixture.now(),
      listInput.parse({ clusterId: fixture.clusterId, direction: "asc", ...more }),
    )
  ).items;

it("stores every time that a session goes down and up, even several times within one report", async () => {
  const speaker = await join("n1", "speaker");
  const sessions = [{ peer: session.peer, as: session.as, state: "established", establishedCount: 6n }];
  await report(speaker, [down(0), up(10), down(20), up(30)], { sessions });
  await report(speaker, [down(1_000), up(1_000), down(1_001), up(1_500)], { sessions });
  await report(speaker, [down(9_000)], { sessions });
  await report(speaker, [up(9_001)], { sessions });

  const rows = await list();
  expect(rows.map(({ from, to }) => [from, to])).toEqual(
    Array.from({ length: 5 }, () => [
      ["established", "idle"],
      ["open-confirm", "established"],
    ]).flat(),
  );
  expect(rows.map(({ at }) => at.getTime() - begun)).toEqual([0, 10, 20, 30, 1_000, 1_000, 1_001, 1_500, 9_000, 9_001]);
  expect(rows[0]).toMatchObject({
    agentId: speaker.agentId,
    nodeId: speaker.nodeId,
    nodeName: "n1",
    kind: "session",
    peerAddress: "10.9.0.11",
    peerAsn: 65_021,
    prefix: null,
    reason: "the hold timer expired",
  });
  const [shown] = (await listBgpSessions(fixture.now(), { sort: "nodeName", direction: "asc", limit: 10 })).items;
  expect(await list({ sessionId: shown?.id })).toHaveLength(10);
  expect(await list({ peer: "10.9.0.11" })).toHaveLength(10);
  expect(await list({ peer: "10.9.0.12" })).toEqual([]);
  expect(await list({ from: new Date(begun + 1_001), to: new Date(begun + 9_001) })).toHaveLength(3);

  const first = await listBgpTransitions(fixture.now(), listInput.parse({ limit: 4 }));
  expect(first).toMatchObject({ total: 10, items: [{ to: "established" }, { to: "idle" }, {}, {}] });
  const next = await listBgpTransitions(fixture.now(), listInput.parse({ limit: 10, cursor: first.nextCursor }));
  expect([...first.items, ...next.items].map(({ id }) => id)).toEqual(rows.map(({ id }) => id).reverse());

  await revokeAgent(fixture.now(), speaker.agentId);
  expect(await list()).toHaveLength(10);
  speaker.close();
});

it("stores the states of announcements, with the reason, and finds them by address", async () => {
  const speaker = await join("n1", "speaker");
  const service = { prefix: "192.0.2.7/32", nextHop: "10.9.0.1" };
  await report(speaker, [
    transition(0, { ...service, to: "offered" }),
    transition(5, {
      ...service,
      from: "offered",
      to: "draining",
      reason: "Leaving: routers prefer any other replica.",
    }),
    transition(9, { ...service, from: "draining", to: "withdrawn", reason: "Leaving: all connections have ended." }),
    transition(9, { ...service, prefix: "192.0.2.8/32", to: "offered" }),
    transition(9, { ...service, to: "dancing" }),
    transition(9, { ...service, prefix: "x", to: "offered" }),
    transition(9, { peer: "tor-1", to: "idle" }),
  ]);
  expect(await list({ covers: "192.0.2.7", kind: ["announcement"] })).toMatchObject([
    { prefix: "192.0.2.7/32", nextHop: "10.9.0.1", from: null, to: "offered", reason: "", peerAddress: null },
    { from: "offered", to: "draining", reason: "Leaving: routers prefer any other replica." },
    { from: "draining", to: "withdrawn" },
  ]);
  expect(await list({ prefix: "192.0.2.8/32" })).toHaveLength(1);
  expect(await list()).toHaveLength(4);
  const node = await join("n2", "node");
  await report(node, [up(0)]);
  expect(await list()).toHaveLength(4);
  for (const each of [speaker, node]) each.close();
});

it("keeps the newest thousand of each session, and none for longer than events", async () => {
  const speaker = await join("n1", "speaker");
  await report(speaker, [
    transition(0, { peer: "10.9.0.12", as: 65_021, from: "open-sent", to: "idle", reason: "refused" }),
  ]);
  await report(
    speaker,
    Array.from({ length: 1_005 }, (_, n) => (n % 2 === 0 ? down(n) : up(n))),
  );
  const { db } = fixture.now();
  const kept = () => db.bgpTransition.count({ where: { clusterId: fixture.clusterId } });
  expect(await kept()).toBe(1_001);
  expect((await list({ peer: "10.9.0.11" }))[0]?.at.getTime()).toBe(begun + 5);
  expect(await list({ peer: "10.9.0.12" })).toMatchObject([{ reason: "refused" }]);
  const late = new Date(begun + 1_000 + 90 * 24 * 3_600_000);
  await sweepRecords(db, late);
  expect(await kept()).toBe(5);
  speaker.close();
});
