import { inTransaction } from "@fairlead/db";
import type { ReportedInstance } from "@fairlead/domain/instance";
import { forgetInstances, markDirty, recordInstances, revokeAgent } from "@fairlead/services";
import { createTestNode, type TestNode } from "@fairlead/services/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Stage, setStage } from "../../testing/stage.ts";
import { until } from "../../testing/until.ts";

let stage: Stage;
let nodes: TestNode[];
beforeEach(async () => {
  stage = await setStage();
  const { ctx, clusterId } = stage;
  nodes = [];
  for (const name of ["a", "b"]) nodes.push(await createTestNode(ctx, clusterId, { name, roles: ["adaptive"] }));
  await runs(client("a", "10.244.1.1"), client("b", "10.244.2.1"));
  await markDirty(ctx.db, "client-prefixes", clusterId);
});
afterEach(() => stage.close());

/** client is a pod that no exposure selects. */
function client(nodeName: string, address: string): ReportedInstance {
  const name = `client-${address}`;
  return { name, workload: "clients", nodeName, addresses: [address], ready: true, labels: {}, weight: 1 };
}

function runs(...changed: ReportedInstance[]): Promise<void> {
  const { organizationId } = stage.ctx;
  const cluster = { id: stage.clusterId, organizationId };
  return inTransaction(stage.database.db, (tx) => recordInstances(tx, { cluster, changed, gone: [] }, new Date()));
}

/** The prefixes that the config of each node has for its own clients. */
async function prefixes(): Promise<(string | undefined)[]> {
  const configs = await stage.database.db.nodeConfig.findMany({ orderBy: { agentId: "asc" } });
  const byAgent = new Map(configs.map(({ agentId, config }) => [agentId, config as { adaptive?: Adaptive }]));
  return nodes.map(({ agentId }) => byAgent.get(agentId)?.adaptive?.prefixes.join(" "));
}
type Adaptive = { prefixes: string[] };

const areUntil = (...want: string[]) =>
  until(`the prefixes are ${want}`, async () => (await prefixes()).join() === want.join(), { seen: prefixes });
const requestsOf = async (kind: string) => {
  const rows = await stage.database.db.reconcileTask.findMany({ where: { kind }, orderBy: { objectId: "asc" } });
  return rows.map((each) => each.requests);
};

it("follows pods that are only clients at once, however many controllers there are", async () => {
  await stage.loop();
  await stage.loop();
  await areUntil("10.244.1.1/32", "10.244.2.1/32");
  const numbers = Array.from({ length: 20 }, (_, index) => index + 2);
  await Promise.all(
    numbers.flatMap((each) => [runs(client("a", `10.244.1.${each}`)), runs(client("b", `10.244.2.${each}`))]),
  );
  await areUntil("10.244.1.0/27", "10.244.2.0/27");
});

it("marks no node while the prefixes are the same", async () => {
  await stage.loop();
  await runs(client("a", "10.244.1.6"));
  await areUntil("10.244.1.0/29", "10.244.2.1/32");
  await stage.converged();
  const [before, marks] = [await requestsOf("node"), await requestsOf("client-prefixes")];
  await runs(client("a", "10.244.1.3"));
  await stage.converged();
  expect(await requestsOf("client-prefixes")).not.toEqual(marks);
  expect(await requestsOf("node")).toEqual(before);
});

it("follows pods that are gone, and has no plan once no agent needs it", async () => {
  const { ctx, clusterId } = stage;
  await stage.loop();
  await runs(client("a", "10.244.1.6"));
  await areUntil("10.244.1.0/29", "10.244.2.1/32");
  await inTransaction(ctx.db, (tx) => forgetInstances(tx, clusterId, ["client-10.244.1.6"]));
  await areUntil("10.244.1.6/32", "");
  for (const { agentId } of nodes) await revokeAgent({ ...ctx, now: new Date() }, agentId);
  await runs(client("a", "10.244.1.7"));
  await until("the plan is gone", async () => (await ctx.db.clientPrefixes.count()) === 0);
  await stage.converged();
  expect(await requestsOf("client-prefixes")).toEqual([]);
});
