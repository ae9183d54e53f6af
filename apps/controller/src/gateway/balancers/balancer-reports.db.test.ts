import { Code } from "@connectrpc/connect";
import { newId } from "@fairlead/domain";
import { listEvents, listInstances, querySeries } from "@fairlead/services";
import { createTestCluster, createTestOrganization } from "@fairlead/services/testing";
import { describe, expect, it } from "vitest";
import { type BalancerFixture, type BalancerStage, onBalancerStage } from "../testing/balancer-stage.ts";
import { enrollTestAgent } from "../testing/test-agent.ts";
import { inventoryOf, pod, podAddress } from "../testing/test-balancer.ts";

let stage: BalancerStage;
let fixture: BalancerFixture;
onBalancerStage((ours, entered) => {
  stage = ours;
  fixture = entered;
});

describe("reports of agents", () => {
  it("of instances are complete: missing ones are deleted, and an invalid one doesn't affect the others", async () => {
    await fixture.runs([pod(1), pod(2)]);
    await fixture.lab.report({});
    await fixture.runs([
      pod(2, { addresses: [podAddress(2), "fd08::2"], ready: false }),
      pod(3, { addresses: ["nowhere"] }),
    ]);
    const { items } = await listInstances(fixture.now(), {
      clusterId: fixture.clusterId,
      sort: "name",
      direction: "asc",
      limit: 50,
    });
    expect(items).toMatchObject([
      { name: "web-2", address: podAddress(2), addresses: [podAddress(2), "fd08::2"], ready: false, workload: "web" },
    ]);
    const { warnings } = await stage.database.db.nodeStatus.findUniqueOrThrow({
      where: { agentId: fixture.lab.agentId },
    });
    expect(warnings).toEqual([`The instance "web-3" is left out: its address "nowhere" is not valid.`]);
  });

  it("of instances count only from roles that can see them, and never in another cluster", async () => {
    await fixture.runs([pod(1)]);
    const { cluster } = await createTestCluster(fixture.now());
    const node = await enrollTestAgent(fixture.now(), stage.port, fixture.clusterId, "taken-over");
    const labElsewhere = await enrollTestAgent(fixture.now(), stage.port, cluster.id, "elsewhere", ["lab"]);
    const forged = inventoryOf([pod(1, { addresses: [podAddress(66)] }), pod(2, { addresses: [podAddress(66)] })]);
    await labElsewhere.report(forged);
    await expect(node.report(forged)).rejects.toMatchObject({
      code: Code.PermissionDenied,
      rawMessage: expect.stringContaining("may run as node, not as lab"),
    });
    const page = { sort: "name", direction: "asc", limit: 50 } as const;
    const { items } = await listInstances(fixture.now(), { clusterId: fixture.clusterId, ...page });
    expect(items).toMatchObject([{ name: "web-1", address: podAddress(1) }]);
    const events = await listEvents(fixture.now(), { subjectId: node.nodeId, ...page, sort: "at" });
    expect(events.items.filter((each) => each.severity === "problem")).toMatchObject([
      { reason: "AgentRolesRefused", message: expect.stringContaining("may run as node, and acts as lab") },
    ]);
    for (const agent of [node, labElsewhere]) agent.close();
  });

  it("store series of their own balancers, and of no others", async () => {
    const { id } = await fixture.serve(1, [pod(1)]);
    const [balancer] = fixture.balancers;
    const { backends, replicas } = await fixture.exposure(id);
    const loadBalancer = replicas[0]?.loadBalancerId ?? "";
    const backend = backends[0]?.id ?? "";
    const nodeId = replicas[0]?.nodeId ?? "";
    const point = (labels: Record<string, string>, value: number, metric = "throughputBps") => ({
      metric,
      labels,
      atMs: [BigInt(Date.now())],
      values: [value],
    });
    const series = [
      point({ loadBalancer }, 8),
      point({ loadBalancer, backend }, 4),
      point({}, 16),
      point({}, 32, "toClientsBps"),
      point({ loadBalancer }, 24, "toClientsBps"),
      point({ loadBalancer: "lb_0" }, 1),
      point({ loadBalancer }, 9e15),
    ];
    const other = await createTestOrganization(stage.database.db);
    const theirs = await createTestCluster(other);
    const spy = await enrollTestAgent(other, stage.port, theirs.cluster.id, "spy", ["balancer"]);
    const ofOthers = series.filter((each) => "loadBalancer" in each.labels);
    expect((await spy.report({ series: ofOthers })).rejectedPoints).toBe(5n);
    spy.close();
    expect(await balancer?.say({ series })).toMatchObject({ rejectedPoints: 2n });
    const answer = await querySeries(fixture.now(), {
      subjectIds: [loadBalancer, backend, nodeId],
      metrics: ["throughputBps", "toClientsBps"],
      from: new Date(Date.now() - 60_000),
      to: new Date(Date.now() + 1_000),
      maxPoints: 60,
    });
    const found = answer.series.map(({ subjectId, metric, labels, points }) => [
      subjectId,
      metric,
      labels,
      points[0]?.avg,
    ]);
    const page = { sort: "at", direction: "desc", limit: 50 } as const;
    const events = await listEvents(fixture.now(), { subjectId: nodeId, ...page });
    expect(events.items.filter(({ reason }) => reason === "FiguresRefused")).toMatchObject([
      { severity: "warning", message: expect.stringContaining("throughputBps was 9000000000000000") },
    ]);
    const labels = { agent: balancer?.agentId };
    expect(new Set(found)).toEqual(
      new Set([
        [loadBalancer, "throughputBps", labels, 8],
        [backend, "throughputBps", labels, 4],
        [nodeId, "throughputBps", labels, 16],
        [nodeId, "toClientsBps", labels, 32],
        [loadBalancer, "toClientsBps", labels, 24],
      ]),
    );
  });

  it("store events at their load balancer, with the names of its instances", async () => {
    const { id } = await fixture.serve(1, [pod(1)]);
    const { replicas, backends } = await fixture.exposure(id);
    const [{ loadBalancerId } = { loadBalancerId: "" }] = replicas;
    const other = newId("backend");
    const event = (message: string) => ({ reason: "BackendDown", message, warning: true, loadBalancerId });
    await fixture.balancers[0]?.say({
      events: [event(`Backend ${backends[0]?.id} is down.`), event(`Backend ${other} is down.`)] as never,
    });
    const { items } = await listEvents(fixture.now(), {
      subjectId: loadBalancerId,
      sort: "at",
      direction: "asc",
      limit: 50,
    });
    expect(items.map(({ severity, reason, message }) => [severity, reason, message]).sort()).toEqual([
      ["warning", "BackendDown", `n1: Backend ${other} is down.`],
      ["warning", "BackendDown", "n1: Backend web-1 is down."],
    ]);
    const ofExposure = await listEvents(fixture.now(), { subjectId: id, sort: "at", direction: "desc", limit: 200 });
    const found = ofExposure.items.filter((each) => each.reason === "BackendDown");
    expect(found.map((each) => each.subjectId)).toEqual([loadBalancerId, loadBalancerId]);
    expect(ofExposure.items.some((each) => each.subjectId === id)).toBe(true);
  });
});
