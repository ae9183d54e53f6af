import { create } from "@bufbuild/protobuf";
import { type NodeConfig, NodeStatusSchema } from "@fairlead/agent-protocol";
import { getNode, querySeries, revokeAgent } from "@fairlead/services";
import { createTestCluster } from "@fairlead/services/testing";
import { expect, it, vi } from "vitest";
import { type BalancerFixture, type BalancerStage, onBalancerStage, patience } from "../testing/balancer-stage.ts";
import { enrollTestAgent, type TestAgent } from "../testing/test-agent.ts";

let stage: BalancerStage;
let fixture: BalancerFixture;
onBalancerStage((its, each) => {
  stage = its;
  fixture = each;
});

type Measuring = TestAgent & { name: string; newest: () => NodeConfig | undefined };

/** join enrols an agent of the role node, which follows its configs until the test ends. */
async function join(name: string, clusterId = fixture.clusterId): Promise<Measuring> {
  const agent = await enrollTestAgent(fixture.now(), stage.port, clusterId, name);
  let newest: NodeConfig | undefined;
  const follow = async () => {
    for await (const { message } of agent.client.watch({ info: { version: "1.0.0", roles: ["node"] } }))
      if (message.case === "config") newest = message.value;
  };
  follow().catch(() => undefined); // until its connection is closed
  return { ...agent, name, newest: () => newest };
}

const at = (echoAddress: string) => ({ node: create(NodeStatusSchema, { echoAddress }) });

const peersOf = (agent: Measuring) =>
  agent
    .newest()
    ?.node?.echo?.peers.map(({ nodeId, address }) => [nodeId, address])
    .toSorted();

it("nodes of a cluster measure round trips to each other, at the addresses that they report", async () => {
  const [one, two, three] = await Promise.all(["one", "two", "three"].map((name) => join(name)));
  if (!one || !two || !three) throw new Error("three agents were enrolled");
  const other = (await createTestCluster(fixture.now())).cluster.id;
  const elsewhere = await join("elsewhere", other);
  const expectPeers = (agent: Measuring, peers: [Measuring, string][]) =>
    vi.waitFor(
      () => expect(peersOf(agent)).toEqual(peers.map(([peer, address]) => [peer.nodeId, address]).toSorted()),
      patience,
    );

  await one.report(at("10.0.0.1:7445"));
  await two.report(at("10.0.0.2:7445"));
  await elsewhere.report(at("10.0.0.9:7445"));
  await three.report({}); // of an earlier version
  await expectPeers(one, [[two, "10.0.0.2:7445"]]);
  await expectPeers(two, [[one, "10.0.0.1:7445"]]);
  await expectPeers(elsewhere, []);
  await expectPeers(three, []); // the others would not reply
  expect(one.newest()?.node?.echo?.agentId).toBe(one.agentId);

  await three.report(at("[2001:db8::3]:7445"));
  await two.report(at("10.0.0.7:7445"));
  await expectPeers(one, [
    [two, "10.0.0.7:7445"],
    [three, "[2001:db8::3]:7445"],
  ]);
  await expectPeers(three, [
    [one, "10.0.0.1:7445"],
    [two, "10.0.0.7:7445"],
  ]);
  const { roundTripsTo } = await getNode(fixture.now(), one.nodeId);
  expect(roundTripsTo).toEqual([
    { id: three.nodeId, name: "three" },
    { id: two.nodeId, name: "two" },
  ]);

  const lastReportAt = new Date(Date.now() - 11 * 60_000);
  await stage.database.db.nodeStatus.update({ where: { agentId: three.agentId }, data: { lastReportAt } });
  await two.report(at("10.0.0.6:7445")); // what a full pass would do in five minutes
  await expectPeers(one, [[two, "10.0.0.6:7445"]]);
  await three.report(at("[2001:db8::3]:7445")); // unchanged, but it is back
  await expectPeers(one, [
    [two, "10.0.0.6:7445"],
    [three, "[2001:db8::3]:7445"],
  ]);
  await two.report(at("10.0.0.7:7445"));
  await expectPeers(one, [
    [two, "10.0.0.7:7445"],
    [three, "[2001:db8::3]:7445"],
  ]);
  await expectPeers(three, [
    [one, "10.0.0.1:7445"],
    [two, "10.0.0.7:7445"],
  ]);

  const { revision = 0n } = one.newest() ?? {};
  await three.report(at("[2001:db8::3]:7445")); // unchanged
  await three.report(at("127.0.0.1:7445")); // where the others would measure themselves
  await expectPeers(one, [[two, "10.0.0.7:7445"]]);
  await expectPeers(three, []);
  expect(one.newest()?.revision).toBe(revision + 1n);

  await revokeAgent(fixture.now(), two.agentId);
  await one.report(at("10.0.0.8:7445")); // what a full pass would do in five minutes
  await expectPeers(one, []);
});

it("round trips are series of the node, with the other node as a label", async () => {
  const [one, two] = await Promise.all([join("one"), join("two")]);
  const now = new Date();
  const point = { metric: "roundTripMs", atMs: [BigInt(now.getTime() - 1_000)] };
  const pressure = { metric: "memoryPressureFullRatio", labels: {}, atMs: point.atMs };
  const answer = await one.report({
    series: [
      { ...point, labels: { node: two.nodeId }, values: [0.25] },
      { ...pressure, values: [0.125] },
      { ...pressure, metric: "ioPressureRatio", values: [1.2] }, // more than all of the time
    ],
  });
  expect(answer.rejectedPoints).toBe(1n);
  const { series } = await querySeries(fixture.now(), {
    subjectIds: [one.nodeId],
    metrics: ["roundTripMs", "memoryPressureFullRatio", "ioPressureRatio"],
    from: new Date(now.getTime() - 60_000),
    to: now,
    maxPoints: 300,
  });
  expect(series.map(({ metric, labels, unit, points }) => [metric, labels, unit, points[0]?.avg])).toEqual(
    expect.arrayContaining([
      ["roundTripMs", { node: two.nodeId }, "ms", 0.25],
      ["memoryPressureFullRatio", {}, "ratio", 0.125],
    ]),
  );
  expect(series).toHaveLength(2);
});
