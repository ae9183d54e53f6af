import type { AdaptiveStrategy, Exposure } from "@fairlead/domain/exposure";
import { createExposure, deleteExposure, previewExposure, revokeAgent, updateExposure } from "@fairlead/services";
import { afterEach, expect, it, vi } from "vitest";
import { type BalancerFixture, type BalancerStage, onBalancerStage, patience } from "../testing/balancer-stage.ts";
import { startTestAdaptive, type TestAdaptive } from "../testing/test-adaptive.ts";
import { pod, podAddress } from "../testing/test-balancer.ts";

let stage: BalancerStage;
let fixture: BalancerFixture;
let agents: TestAdaptive[];
onBalancerStage((set, entered) => {
  stage = set;
  fixture = entered;
  agents = [];
});
afterEach(async () => {
  await Promise.all(agents.map((each) => each.stop()));
});

/** add adds an agent of the role adaptive on a node. Balancers are on "n1", "n2", … */
async function add(nodeName: string): Promise<TestAdaptive> {
  const where = { nodeName, mesh: `10.9.1.${agents.length + 1}:7448` };
  const agent = await startTestAdaptive(fixture.now(), stage.port, fixture.clusterId, where);
  agents.push(agent);
  return agent;
}

const strategyOf = (change: Partial<AdaptiveStrategy>): AdaptiveStrategy => {
  const { strategy } = fixture.spec;
  const poolId = "poolId" in strategy ? (strategy.poolId ?? "") : "";
  return { type: "adaptive", poolId, ...change };
};
const specOf = (change: Partial<AdaptiveStrategy>) => ({ ...fixture.spec, strategy: strategyOf(change) });
const expose = (change: Partial<AdaptiveStrategy>): Promise<Exposure> => createExposure(fixture.now(), specOf(change));
const serving = (id: string) =>
  vi.waitFor(async () => expect((await fixture.exposure(id)).phase).toBe("serving"), patience);
const condition = async (id: string, type: string) =>
  (await fixture.exposure(id)).conditions.find((each) => each.type === type);
/** Of each balancer, how many services it has. */
const carried = () => fixture.balancers.map((each) => each.services().length);

it("has balancers next to agents of the role adaptive place connections from outside by cost", async () => {
  const [n1] = [await add("n1"), await add("n2")];
  await fixture.join(3);
  await fixture.runs([pod(1), pod(2, { nodeName: "n2", labels: { app: "web", tier: "spare" } })]);
  const { id, addresses } = await expose({ standby: { tier: "spare" }, outside: { replicas: 2, delivery: "nat" } });
  await serving(id);
  expect(carried()).toEqual([1, 1, 0]);
  const [service] = fixture.balancers[0]?.services() ?? [];
  expect(service).toMatchObject({ address: addresses[0], port: 80, protocol: "tcp", byCost: true, delivery: "nat" });
  const weights = Object.fromEntries((service?.backends ?? []).map((each) => [each.address, each.weight]));
  expect(weights).toEqual({ [podAddress(1)]: 1, [podAddress(2)]: 0 });
  expect(fixture.balancers[0]?.configs.at(-1)?.balancer?.engine).toBe("tcx");
  expect(n1.role()?.services).toHaveLength(1);

  const { replicas, adaptive, message } = await fixture.exposure(id);
  expect(replicas.map((each) => [each.role, each.nodeName])).toEqual([
    ...["n1", "n2"].map((name) => ["balancer", name]),
    ...["n1", "n2"].map((name) => ["adaptive", name]),
  ]);
  expect(message).toBe("Serving on 4 of 4 replicas; 2 of 2 backends are up.");
  expect(await condition(id, "ByCost")).toMatchObject({ status: "true", reason: "ByCost" });
  expect(adaptive?.nodes.map((each) => [each.nodeName, each.balancerIds])).toEqual(
    ["n1", "n2"].map((name) => [
      name,
      replicas.filter((each) => each.role === "balancer" && each.nodeName === name).map((each) => each.id),
    ]),
  );

  // Without them, nodes still reach the address.
  await updateExposure(fixture.now(), id, { strategy: strategyOf({ standby: { tier: "spare" } }) });
  await vi.waitFor(() => expect(carried()).toEqual([0, 0, 0]), patience);
  await serving(id);
  expect((await fixture.exposure(id)).replicas.map((each) => each.role)).toEqual(["adaptive", "adaptive"]);
  expect(await condition(id, "ByCost")).toBeUndefined();
  expect(n1.role()?.services).toHaveLength(1);
});

it("says which agents to add while no node has both", async () => {
  await add("n9");
  await fixture.join(1);
  await fixture.runs([pod(1)]);
  const { warnings, summary } = await previewExposure(fixture.now(), specOf({ outside: { replicas: 1 } }));
  expect(summary).toMatch(/^One virtual address on each node of .*, and on 1 balancer for clients outside\.$/);
  expect(warnings.at(-1)).toMatch(
    /no balancer agents next to an agent of the role adaptive report, .* Add agents of both roles to as many nodes\.$/,
  );
  const { id } = await expose({ outside: { replicas: 1 } });
  await vi.waitFor(async () => {
    const { phase, message } = await fixture.exposure(id);
    expect(phase).toBe("pending"); // no agent has checked the backend yet
    expect(message).toContain("on a node that has an agent of the role adaptive too.");
  }, patience);
  expect(carried()).toEqual([0]);
  await add("n1");
  await serving(id);
  expect(carried()).toEqual([1]);
});

it("keeps a balancer whose node loses its agent of the role adaptive, and reports what to do", async () => {
  const [, n2] = [await add("n1"), await add("n2")];
  await fixture.join(2);
  await fixture.runs([pod(1), pod(2, { nodeName: "n2" })]);
  const { id } = await expose({ outside: { replicas: 2 } });
  await serving(id);
  await n2.fail("Another program at the cgroup replaces addresses.");
  await vi.waitFor(async () => {
    expect((await condition(id, "ByCost"))?.message).toBe(
      "The balancer on n2 places connections by weight instead of by cost: the agent of the role adaptive there reports a problem. Another program at the cgroup replaces addresses.",
    );
  }, patience);

  await revokeAgent(fixture.now(), n2.agentId);
  await vi.waitFor(async () => {
    expect(await condition(id, "ByCost")).toMatchObject({
      ...{ status: "false", reason: "NotByCost" },
      message:
        "The balancer on n2 places connections by weight instead of by cost: its node has no agent of the role adaptive. Add one there.",
    });
    expect((await fixture.exposure(id)).phase).toBe("degraded");
  }, patience);
  expect(carried()).toEqual([1, 1]);
  const node = (await fixture.exposure(id)).adaptive?.nodes.find((each) => each.nodeName === "n2");
  expect(node?.problem).toMatch(/^It has no agent of the role adaptive, so its balancer places connections by weight/);
});

it("is gone from all configs when it is deleted", async () => {
  const n1 = await add("n1");
  await fixture.join(1);
  await fixture.runs([pod(1)]);
  const { id } = await expose({ outside: { replicas: 1 } });
  await serving(id);
  await deleteExposure(fixture.now(), id);
  await vi.waitFor(() => expect([...carried(), n1.role()?.services.length]).toEqual([0, 0]), patience);
  await vi.waitFor(async () => expect(await stage.database.db.exposure.count({ where: { id } })).toBe(0), patience);
});
