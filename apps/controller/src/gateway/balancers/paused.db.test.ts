import {
  createExposure,
  markDirty,
  pauseExposure,
  resumeExposure,
  revokeAgent,
  updateExposure,
} from "@fairlead/services";
import { expect, it, vi } from "vitest";
import {
  type BalancerFixture,
  type BalancerStage,
  onBalancerStage,
  patience,
  withReplicas,
} from "../testing/balancer-stage.ts";
import { actives, agentsOf, replicasOf, silence, statesOf } from "../testing/carried.ts";
import { withPool } from "../testing/instance-fixture.ts";
import { pod, podAddress } from "../testing/test-balancer.ts";

let stage: BalancerStage;
let fixture: BalancerFixture;
onBalancerStage((ours, entered) => {
  stage = ours;
  fixture = entered;
});

const isPauseConfirmed = async (id: string) =>
  (await fixture.exposure(id)).conditions.some(({ type, status }) => type === "Paused" && status === "true");

async function pause(id: string): Promise<void> {
  await pauseExposure(fixture.now(), id);
  await vi.waitFor(async () => expect(await isPauseConfirmed(id)).toBe(true), patience);
}

/** Reconciles the exposure, then all nodes, and waits until nothing is left to do. */
async function settle(id: string): Promise<void> {
  const { db } = stage.database;
  const isDone = () =>
    vi.waitFor(async () => {
      const where = { OR: [{ dueAt: { lte: new Date() } }, { lease: { not: null } }] };
      expect(await db.reconcileTask.count({ where })).toBe(0);
    }, patience);
  await markDirty(db, "exposure", id, { urgent: true });
  await isDone();
  for (const node of await db.node.findMany({ where: { clusterId: fixture.clusterId } }))
    await markDirty(db, "node", node.id, { urgent: true });
  await isDone();
}

const stored = async () =>
  stage.database.db.nodeConfig.findMany({
    where: { agentId: { in: fixture.balancers.map((each) => each.agentId) } },
    orderBy: { agentId: "asc" },
    select: { agentId: true, revision: true, digest: true, loadBalancerIds: true },
  });

it("keeps the configs of its agents while instances and spec change, and applies both when it is resumed", async () => {
  const { id } = await fixture.serve(2, [pod(1), pod(2)]);
  await settle(id);
  await pause(id);
  const before = await stored();
  const placed = await agentsOf(stage, id);
  await fixture.runs([pod(2), pod(3)]);
  await updateExposure(fixture.now(), id, { ports: [{ port: 81, targetPort: 80, protocol: "tcp" }] });
  await updateExposure(fixture.now(), id, { strategy: withReplicas(fixture.spec, 1).strategy });
  await settle(id);
  expect(await stored()).toEqual(before);
  expect(await agentsOf(stage, id)).toEqual(placed);
  expect(await fixture.exposure(id)).toMatchObject({ generation: 3, observedGeneration: 1, phase: "serving" });

  await resumeExposure(fixture.now(), id);
  await vi.waitFor(
    () =>
      expect(fixture.balancers.flatMap((each) => each.services())).toMatchObject([
        { port: 81, backends: expect.arrayContaining([expect.objectContaining({ address: podAddress(3) })]) },
      ]),
    patience,
  );
  expect(await replicasOf(stage, id)).toHaveLength(1);
  await vi.waitFor(async () => expect((await fixture.exposure(id)).observedGeneration).toBe(3), patience);
});

it("shows the health of its backends", async () => {
  const { id } = await fixture.serve(1, [pod(1), pod(2)]);
  await pause(id);
  const [balancer] = fixture.balancers;
  balancer?.down.set(podAddress(2), "connection refused");
  await balancer?.say();
  await vi.waitFor(async () => expect((await fixture.exposure(id)).phase).toBe("degraded"), patience);
  expect((await fixture.exposure(id)).conditions).toContainEqual(
    expect.objectContaining({ type: "BackendsUp", status: "false", reason: "BackendsDown" }),
  );
});

it("gets no other agent for a lost one until it is resumed", async () => {
  const { id } = await fixture.serve(1, [pod(1)]);
  await fixture.join(1);
  await pause(id);
  const [lost] = await agentsOf(stage, id);
  await silence(stage, lost, 3_600);
  await settle(id);
  expect(await agentsOf(stage, id)).toEqual([lost]);
  await resumeExposure(fixture.now(), id);
  await vi.waitFor(async () => expect(await agentsOf(stage, id)).not.toEqual([lost]), patience);
});

it("does not hold back other exposures of the same agents", async () => {
  const { id } = await fixture.serve(1, [pod(1)]);
  await pause(id);
  const workload = { kind: "deployment" as const, namespace: "default", name: "web" };
  await createExposure(fixture.now(), withReplicas({ ...fixture.spec, name: "other", workload }, 1));
  const [balancer] = fixture.balancers;
  await balancer?.until(() => balancer.services().length === 2);
  await fixture.runs([pod(1), pod(2)]);
  const backendsOf = (isPaused: boolean) =>
    balancer?.services().find((each) => (each.exposureId === id) === isPaused)?.backends.length;
  await vi.waitFor(() => expect(backendsOf(false)).toBe(2), patience);
  expect(backendsOf(true)).toBe(1);
});

it("counts with the engine that its agents run for it, whatever its newest spec requests", async () => {
  const { strategy } = fixture.spec;
  if (strategy.type !== "ecmp") throw new Error("only this strategy has engines");
  const { id } = await fixture.serve(1, [pod(1)]);
  await updateExposure(fixture.now(), id, { strategy: { ...strategy, replicas: 1, engine: "tcx" } });
  await settle(id);
  await pause(id);
  await updateExposure(fixture.now(), id, { strategy: { ...strategy, replicas: 1, engine: "nftables" } });
  const workload = { kind: "deployment" as const, namespace: "default", name: "web" };
  const spec = {
    ...fixture.spec,
    name: "other",
    workload,
    strategy: { ...strategy, replicas: 1, engine: "tcx" as const },
  };
  const other = await createExposure(fixture.now(), spec);
  await vi.waitFor(async () => expect(await agentsOf(stage, other.id)).toEqual(await agentsOf(stage, id)), patience);
});

it("is part of the config of an agent that connects again", async () => {
  const { id } = await fixture.serve(1, [pod(1)]);
  await pause(id);
  await fixture.runs([pod(1), pod(2)]);
  const [balancer] = fixture.balancers;
  // It reports a revision that the database lacks, as after a restored backup, and gets the same config with a newer one.
  await balancer?.say({ observedRevision: 70n, observedDigest: "of another config" });
  await balancer?.until(({ revision }) => revision > 70n);
  expect(statesOf(balancer)).toEqual(actives([1]));
});

it("exposes no new instance, and maps one that moved as not ready", async () => {
  const on = await withPool(stage, fixture);
  await fixture.join(1);
  await on.runs(pod(1), pod(2));
  const { id } = await on.expose();
  await on.serves(id, 2);
  const of = (number: number, at: number, ready: boolean) =>
    `web-${number} web-${number}@n1 ${podAddress(at)}:8080 198.51.100.${number}:80 ${ready}`;
  await vi.waitFor(async () => expect(await on.mapOf(id)).toEqual([of(1, 1, true), of(2, 2, true)]), patience);
  await pause(id);
  const carried = on.carried();
  await on.runs(pod(1), pod(2, { addresses: [podAddress(22)] }), pod(3));
  await settle(id);
  expect(await on.mapOf(id)).toEqual([of(1, 1, true), of(2, 22, false)]);
  expect(on.carried()).toEqual(carried);
  await resumeExposure(fixture.now(), id);
  await on.serves(id, 3);
});

it("shows that a replica is lost, whose agent is revoked", async () => {
  const { id } = await fixture.serve(2, [pod(1)]);
  await pause(id);
  const [first] = await replicasOf(stage, id);
  await revokeAgent(fixture.now(), first?.agentId ?? "");
  await settle(id);
  expect(await fixture.exposure(id)).toMatchObject({ phase: "degraded", replicas: [{}, { ready: true }] });
});
