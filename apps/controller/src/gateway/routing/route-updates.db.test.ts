import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { BgpStatusSchema } from "@fairlead/agent-protocol";
import { listRouteUpdates as listInput, queryRouteDelays as queryInput } from "@fairlead/domain/routing";
import { listRouteUpdates, queryRouteDelays, sweepRecords, updateRetentionMs } from "@fairlead/services";
import { expect, it } from "vitest";
import { type BalancerFixture, type BalancerStage, onBalancerStage } from "../testing/balancer-stage.ts";
import { enrollTestAgent, type TestAgent } from "../testing/test-agent.ts";

let stage: BalancerStage;
let fixture: BalancerFixture;
onBalancerStage((ours, entered) => {
  stage = ours;
  fixture = entered;
});

const prefix = "192.0.2.7/32";
const nextHop = "10.9.0.1";
/** In whole seconds, shortly before now: the times of all steps are relative to it. */
const begun = Math.floor(Date.now() / 1_000) - 30;

function join(nodeName: string, role: string): Promise<TestAgent> {
  return enrollTestAgent(fixture.now(), stage.port, fixture.clusterId, nodeName, [role]);
}

function stepAt(afterMs: number, step: string, more: { withdrawn?: boolean; prefix?: string; nextHop?: string } = {}) {
  const seconds = BigInt(begun) + BigInt(Math.floor(afterMs / 1_000));
  const at = { seconds, nanos: Math.round((afterMs % 1_000) * 1_000_000) };
  return { prefix, nextHop, step, at, ...more };
}

const report = (agent: TestAgent, ...updates: ReturnType<typeof stepAt>[]) =>
  agent.report({ bgp: create(BgpStatusSchema, { updates }) });

const updates = async (more: object = {}) =>
  (await listRouteUpdates(fixture.now(), listInput.parse({ clusterId: fixture.clusterId, ...more }))).items;

async function delays(fromMs = -60_000, toMs = 60_000) {
  const [from, to] = [fromMs, toMs].map((each) => new Date(begun * 1_000 + each));
  return (await queryRouteDelays(fixture.now(), queryInput.parse({ clusterId: fixture.clusterId, from, to }))).delays;
}

it("merges the steps from speaker, reflectors and router into one update, in any order and repeated", async () => {
  const [speaker, first, second, router] = await Promise.all([
    join("n1", "speaker"),
    join("rr-1", "reflector"),
    join("rr-2", "reflector"),
    join("tor-1", "router"),
  ]);
  await report(router, stepAt(1_501.5, "learned"), stepAt(1_502.25, "routed"));
  await report(second, stepAt(1_501.1, "reflected"));
  await report(speaker, stepAt(1_000, "caused"), stepAt(1_500, "announced"));
  await report(first, stepAt(1_500.8, "reflected"));
  await report(speaker, stepAt(1_540, "carried"), stepAt(1_500, "announced"));

  const [update, ...others] = await updates();
  expect(others).toEqual([]);
  expect(update).toMatchObject({ prefix, nextHop, isWithdrawal: false, beganAt: new Date(begun * 1_000 + 1_000) });
  expect(update?.steps).toEqual([
    { step: "caused", nodeName: "n1", afterMs: 0 },
    { step: "announced", nodeName: "n1", afterMs: 500 },
    { step: "reflected", nodeName: "rr-1", afterMs: 500.8 },
    { step: "reflected", nodeName: "rr-2", afterMs: 501.1 },
    { step: "learned", nodeName: "tor-1", afterMs: 501.5 },
    { step: "routed", nodeName: "tor-1", afterMs: 502.25 },
    { step: "carried", nodeName: "n1", afterMs: 540 },
  ]);
  expect(update?.phasesMs).toEqual({
    notice: 500,
    reflect: 0.8,
    deliver: 0.7,
    write: 0.75,
    carry: 37.75,
    converge: 2.25,
  });

  await report(router, stepAt(9_001, "routed"), stepAt(5_003, "routed", { withdrawn: true }));
  await report(speaker, stepAt(9_000, "announced"), stepAt(5_000, "announced", { withdrawn: true }));
  await report(router, stepAt(9_000.5, "learned", { prefix: "2001:db8::7/128", nextHop: "fd00::1" }));
  expect((await updates()).map(({ isWithdrawal, phasesMs }) => [isWithdrawal, phasesMs])).toEqual([
    [false, { converge: 1 }],
    [true, { converge: 3 }],
    [false, update?.phasesMs],
  ]);
  expect(await updates({ covers: "192.0.2.8" })).toEqual([]);
  expect(await updates({ from: new Date(begun * 1_000 + 6_000) })).toHaveLength(1);

  const converge = (await delays()).filter((each) => each.phase === "converge");
  expect(converge).toMatchObject([
    { isWithdrawal: false, count: 2, msMax: 2.25 },
    { isWithdrawal: true, count: 1, msMax: 3 },
  ]);
  expect(converge[0]?.buckets.reduce((sum, each) => sum + each, 0)).toBe(2);
  expect((await delays(2_000, 60_000)).map((each) => [each.phase, each.isWithdrawal, each.count])).toEqual([
    ["converge", false, 1],
    ["converge", true, 1],
  ]);
  for (const each of [speaker, first, second, router]) each.close();
});

it("shows why a next hop was removed, as reported by its speaker or by the peer that lost the session", async () => {
  const other = { prefix: "192.0.2.9/32", nextHop: "10.9.0.9", withdrawn: true };
  const [speaker, reflector] = await Promise.all([join("n9", "speaker"), join("rr-9", "reflector")]);
  const bgp = (fields: MessageInitShape<typeof BgpStatusSchema>) => ({ bgp: create(BgpStatusSchema, fields) });
  const at = (afterMs: number) => stepAt(afterMs, "").at;
  const why = "Not announced: the probe has been failing since 03:04:05 UTC (refused).";
  await speaker.report(
    bgp({
      updates: [stepAt(20_000, "ready", other), stepAt(21_000, "caused", other), stepAt(21_100, "announced", other)],
      transitions: [
        { prefix: other.prefix, nextHop: other.nextHop, from: "offered", to: "withdrawn", at: at(21_100), reason: why },
      ],
    }),
  );
  await reflector.report(
    bgp({
      updates: [stepAt(21_101, "reflected", other), stepAt(25_000, "reflected", { ...other, prefix: "192.0.2.10/32" })],
      transitions: [
        {
          peer: other.nextHop,
          as: 65_021,
          from: "established",
          to: "idle",
          at: at(25_001),
          reason: "BFD heard nothing of the peer",
        },
      ],
    }),
  );
  const router = await join("tor-9", "router");
  await router.report(bgp({ updates: [stepAt(25_001, "learned", { ...other, prefix: "192.0.2.10/32" })] }));
  const went = (await updates()).filter((each) => each.nextHop === other.nextHop);
  expect(went.map(({ prefix, cause, phasesMs }) => [prefix, cause, phasesMs.find])).toEqual([
    ["192.0.2.10/32", "BFD heard nothing of the peer", undefined],
    ["192.0.2.9/32", why, 1_000],
  ]);
  for (const each of [speaker, reflector, router]) each.close();
});

it("ignores steps of an agent that doesn't speak BGP", async () => {
  const node = await join("n2", "node");
  await report(node, stepAt(0, "learned"), stepAt(1, "routed"));
  expect(await updates()).toEqual([]);
  node.close();
});

it("adds updates that are too old to be stored individually to the histograms", async () => {
  const { db } = fixture.now();
  const router = await join("tor-2", "router");
  for (const [after, took] of [
    [0, 2],
    [2_000, 4],
    [4_000, 400],
  ] as const)
    await report(router, stepAt(after, "learned"), stepAt(after + took, "routed"));
  const before = await delays();
  expect(before).toMatchObject([{ phase: "write", count: 3, msMax: 400 }]);
  expect(before[0]?.msP50).toBeGreaterThan(3);
  expect(before[0]?.msP50).toBeLessThan(5);

  const hour = new Date(begun * 1_000 + 1_000 + updateRetentionMs.update); // past the first of them
  await sweepRecords(db, hour);
  expect(await updates()).toHaveLength(2);
  expect(await delays()).toEqual(before);
  await sweepRecords(db, new Date(hour.getTime() + 60_000));
  expect(await updates()).toEqual([]);
  expect(await delays()).toEqual(before);
  await sweepRecords(db, new Date(hour.getTime() + 2 * updateRetentionMs.delay));
  expect(await delays()).toEqual([]);
  router.close();
});
