import { setTimeout as sleep } from "node:timers/promises";
import { refusalOf, type TestAgent } from "../../apps/controller/src/gateway/testing/test-agent.ts";
import { enroll } from "./agents.ts";
import type { Observed, Results } from "./results.ts";
import type { Target } from "./target.ts";

/** Of the load balancer of the fleet. */
const replicas = 2;
const placedWithinMs = 30_000;

/** attackFigures reports figures that no host has, or that are about the balancers of others: costs are calculated from them. */
export async function attackFigures(target: Target, results: Results): Promise<void> {
  const { own, victim } = target;
  const balancers = [];
  for (let at = 0; at <= replicas; at++) balancers.push(await enroll(target, own.ids.cluster, ["balancer"]));
  for (const each of balancers) await each.report({});
  const balancer = await withoutReplica(target, balancers);
  const node = await enroll(target, own.ids.cluster, ["node"]);
  try {
    await results.check("(a possible figure of an agent's own host is accepted)", async () => {
      const { rejectedPoints } = await balancer.report({ series: [point("throughputBps", 8)] });
      return { refused: rejectedPoints === 0n, seen: `${rejectedPoints} of 1 rejected` };
    });
    for (const value of [9e15, -1e300, Number.NaN, Number.POSITIVE_INFINITY, -1])
      await results.check(`balancer reports a throughput of ${value} bit/s`, () =>
        report(balancer, point("throughputBps", value)),
      );
    for (const value of [17, -0.5, Number.NaN])
      await results.check(`node reports a CPU utilisation of ${value}`, () =>
        report(node, point("cpuUtilizationRatio", value)),
      );
    const others: [string, TestAgent, string][] = [
      ["balancer reports figures of another agent's load balancer in its cluster", balancer, own.ids.loadBalancer],
      ["node reports figures of a load balancer in its cluster", node, own.ids.loadBalancer],
      ["balancer reports figures of another organisation's load balancer", balancer, victim.ids.loadBalancer],
      ["balancer reports figures of a load balancer that doesn't exist", balancer, "lb_00000000000000000000000000"],
    ];
    for (const [what, agent, loadBalancer] of others)
      await results.check(what, () => report(agent, point("throughputBps", 8, { loadBalancer })));
    await results.check("impossible figures are an event of the node", async () => {
      const { text } = await target.api(`/events?subjectId=${balancer.nodeId}`);
      const reasons = (JSON.parse(text) as { items: { reason: string }[] }).items.map(({ reason }) => reason);
      return { refused: reasons.includes("FiguresRefused"), seen: [...new Set(reasons)].join(", ") };
    });
  } finally {
    for (const agent of [...balancers, node]) agent.close();
  }
}

/** withoutReplica waits until the load balancer has its replicas, and returns the agent that has none. */
async function withoutReplica({ db, own }: Target, agents: TestAgent[]): Promise<TestAgent> {
  const deadline = Date.now() + placedWithinMs;
  while (Date.now() < deadline) {
    const placed = await db.replica.findMany({
      where: { loadBalancerId: own.ids.loadBalancer, agentId: { not: null } },
    });
    const [free] = agents.filter(({ agentId }) => !placed.some((each) => each.agentId === agentId));
    if (placed.length === replicas && free) return free;
    await sleep(100);
  }
  throw new Error("the load balancer was not placed on the agents");
}

/** attackInventory reports the instances of a lab in a cluster whose instances Kubernetes lists. */
export async function attackInventory(target: Target, results: Results): Promise<void> {
  const { api, db, own } = target;
  const body = { name: "kubernetes", kind: "kubernetes" };
  const { id: clusterId } = JSON.parse((await api("/clusters", { method: "POST", body })).text) as { id: string };
  const observed = {
    nodeName: "n1",
    workload: "shop/web",
    addresses: ["10.8.0.1"],
    ready: true,
    changedAt: new Date(),
  };
  const { organization: organizationId } = own.ids;
  await db.instance.create({
    data: { id: "ins_of_kubernetes", organizationId, clusterId, name: "web-1", source: clusterId, ...observed },
  });
  const lab = await enroll(target, clusterId, ["lab"]);
  await results.check("lab agent with an empty inventory deletes the instances of a Kubernetes cluster", async () => {
    await lab.report({ inventory: { instances: [] } as never });
    const left = await db.instance.count({ where: { clusterId } });
    return { refused: left === 1, seen: `${left} of 1 left` };
  });
  lab.close();
}

function point(metric: string, value: number, labels: Record<string, string> = {}) {
  return { metric, labels, atMs: [BigInt(Date.now())], values: [value] };
}

/** A value that can't be stored is left out; one that is no number fails the whole report. */
async function report(agent: TestAgent, series: ReturnType<typeof point>): Promise<Observed> {
  let rejected = 0n;
  const refusal = await refusalOf(async () => {
    rejected = (await agent.report({ series: [series] })).rejectedPoints;
  });
  if (refusal) return { refused: refusal === "InvalidArgument", seen: `refused (${refusal})` };
  return { refused: rejected === 1n, seen: `${rejected} of 1 rejected` };
}
