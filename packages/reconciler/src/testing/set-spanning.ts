import type { Db } from "@fairlead/db";
import { createExposure } from "@fairlead/services";
import { createTestClusters, createTestOrganization, testSpec } from "@fairlead/services/testing";
import { silentLog } from "@fairlead/telemetry";
import { clusterReconciler, exposureReconciler, nodeReconciler } from "../index.ts";
import { testKeysBox } from "./test-keys-box.ts";

const reconcilers = {
  node: nodeReconciler,
  cluster: clusterReconciler(testKeysBox),
  exposure: exposureReconciler(() => null, { presence: { lastsMs: () => 0 }, keysBox: testKeysBox }),
};

/** setSpanning has an exposure in two clusters behind one router, and runs single reconciliations without a loop. */
export async function setSpanning(db: Db) {
  const ctx = await createTestOrganization(db);
  const clusters = await createTestClusters(ctx);
  const { own, west, pool } = clusters;
  const placements = (share: number) => [
    { clusterId: own.id, share: 100 - share },
    { clusterId: west.id, share },
  ];
  const { id } = await createExposure(ctx, testSpec(pool, { placements: placements(20) }));
  const reconcile = async (kind: keyof typeof reconcilers, objectId: string, now = new Date()) => {
    const lease = crypto.randomUUID();
    const task = { kind, objectId };
    await db.reconcileTask.upsert({
      where: { kind_objectId: task },
      create: { ...task, dueAt: now, lease },
      update: { lease },
    });
    return reconcilers[kind].reconcile(objectId, {
      ...{ db, log: silentLog, signal: new AbortController().signal, countCorrections: () => {} },
      ...{ task: { ...task, lease } as never, now: () => now, passed: async () => {} },
    });
  };
  /** configOf compiles the config of an agent. */
  const configOf = async (agentId: string) => {
    const { nodeId } = await db.agent.findUniqueOrThrow({ where: { id: agentId } });
    await reconcile("node", nodeId);
    return (await db.nodeConfig.findUniqueOrThrow({ where: { agentId } })).config as Compiled;
  };
  return { ctx, ...clusters, id, placements, reconcile, configOf };
}

type Routed = { bgp: { peers: { address?: string; callers?: string }[] }; accepts: string[] };
/** The parts of a config that these tests read. */
export type Compiled = {
  router?: Routed;
  reflector?: Routed;
  speaker?: { services: { prefix: string; weight?: number; leaving: boolean }[] };
};
