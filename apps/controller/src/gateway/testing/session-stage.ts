import { type Exposure, type SessionStrategy, sessionDefaults } from "@fairlead/domain/exposure";
import { silentAgentsSweep } from "@fairlead/reconciler";
import { createExposure } from "@fairlead/services";
import { afterEach, expect, vi } from "vitest";
import { type BalancerFixture, type BalancerStage, hourMs, onBalancerStage, patience } from "./balancer-stage.ts";
import { startTestBackend, type TestBackend } from "./test-backend.ts";

/** onSessionStage runs all tests of a file on one stage, for exposures with the strategy session. */
export function onSessionStage() {
  let stage: BalancerStage;
  let fixture: BalancerFixture;
  let backends: TestBackend[];
  onBalancerStage((set, entered) => {
    stage = set;
    fixture = entered;
    backends = [];
  });
  afterEach(async () => {
    await Promise.all(backends.map((each) => each.stop()));
  });

  async function addBackend(nodeName: string): Promise<TestBackend> {
    const backend = await startTestBackend(fixture.now(), stage.port, fixture.clusterId, nodeName);
    backends.push(backend);
    return backend;
  }

  async function expose(replicas = 1, change: Partial<SessionStrategy> = {}): Promise<Exposure> {
    const { spec } = fixture;
    const poolId = "poolId" in spec.strategy ? (spec.strategy.poolId ?? "") : "";
    const serverNames = ["web.example.com"];
    const strategy: SessionStrategy = { type: "session", replicas, poolId, ...sessionDefaults, serverNames, ...change };
    return createExposure(fixture.now(), { ...spec, strategy });
  }

  const service = (replica = 0) => fixture.balancers[replica]?.services()[0];
  return {
    stage: () => stage,
    fixture: () => fixture,
    addBackend,
    expose,
    service,
    /** taking returns where backends take connections by session, by address. */
    taking: (replica = 0) =>
      Object.fromEntries((service(replica)?.backends ?? []).map((each) => [each.address, each.session?.companion])),
    condition: async (id: string) => (await fixture.exposure(id)).conditions.find((each) => each.type === "BySession"),
    /** settled waits until each agent next to servers runs its newest config, and reconciliations are done. */
    settled: () =>
      vi.waitFor(async () => {
        const { db } = stage.database;
        const replicas = backends.flatMap((each) => each.servers().map((server) => server.replicas.length));
        expect(replicas.every((each) => each > 0)).toBe(true);
        expect(
          await db.reconcileTask.count({ where: { OR: [{ dueAt: { lte: new Date() } }, { lease: { not: null } }] } }),
        ).toBe(0);
        for (const { agentId } of backends) {
          const config = await db.nodeConfig.findUniqueOrThrow({ where: { agentId } });
          const status = await db.nodeStatus.findUniqueOrThrow({ where: { agentId } });
          expect(status.observedRevision).toBe(config.revision);
        }
      }, patience),
    /** sweep marks silent agents, as the controller does at intervals. */
    sweep: () => silentAgentsSweep(stage.database.db, () => new Date(), { lastsMs: () => hourMs, lookedAt() {} })(),
  };
}
