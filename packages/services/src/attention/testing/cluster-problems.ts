import { newId } from "@fairlead/domain";
import type { AttentionKind } from "@fairlead/domain/attention";
import { createAddressPool } from "../../address-pool/index.ts";
import { createExposure, deleteExposure, removeExposure } from "../../exposure/index.ts";
import { createTestCluster, testSpec } from "../../testing/index.ts";
import { after, type CreateProblem, dayMs } from "./problem.ts";

/** A cluster whose API is observed in this phase, and then responds. */
function kubernetes(phase: string): CreateProblem {
  return async ({ db, now, ...ctx }) => {
    const { cluster } = await createTestCluster({ db, now, ...ctx });
    const clusterId = cluster.id;
    await db.kubernetesAccess.create({ data: { clusterId, settings: {}, sealed: "" } });
    const status = { generation: 1, phase, message: "It responds: 403", observedAt: now, since: now };
    await db.kubernetesStatus.create({ data: { clusterId, ...status } });
    const data = { phase: "connected" };
    return { began: now, fix: () => db.kubernetesStatus.update({ where: { clusterId }, data }) };
  };
}

const metricsMissing: CreateProblem = async (ctx) => {
  const { cluster } = await createTestCluster(ctx);
  const clusterId = cluster.id;
  await ctx.db.cloudMetrics.create({ data: { clusterId, settings: {}, credentials: "" } });
  const status = {
    generation: 1,
    phase: "refused",
    message: "The key is invalid",
    observedAt: ctx.now,
    since: ctx.now,
  };
  await ctx.db.cloudMetricsStatus.create({ data: { clusterId, ...status } });
  const data = { phase: "reading" };
  return { began: ctx.now, fix: () => ctx.db.cloudMetricsStatus.update({ where: { clusterId }, data }) };
};

/** An address that had a place for a day, until the cloud refused it or no replica was left. */
function cloudAddress(state: string, reason: string): CreateProblem {
  return async (ctx) => {
    const { organizationId, db, now } = ctx;
    const { cluster } = await createTestCluster(ctx);
    const of = { organizationId, clusterId: cluster.id };
    const id = newId("cloudAddress");
    const row = { address: "192.0.2.1", loadBalancerId: "lb_1", state, decidedAt: after(now, -dayMs) };
    await db.cloudAddress.create({ data: { id, ...of, ...row, reason: "the key is invalid" } });
    const event = { severity: "problem", message: "", subjectKind: "cluster", subjectId: cluster.id, subjectName: "" };
    await db.event.create({ data: { id: newId("event", now), ...of, at: now, reason, ...event } });
    return { began: now, fix: () => db.cloudAddress.update({ where: { id }, data: { state: "placed" } }) };
  };
}

/** A pool with so many exposures in it, which serve, and one of which is then removed. */
function pool(prefix: string, exposures: number): CreateProblem {
  return async (ctx) => {
    const { pool: other } = await createTestCluster(ctx, "198.51.100.0/24");
    const spec = { clusterId: other.clusterId, name: "small", prefix, note: "", allowOverlap: true };
    const small = await createAddressPool(ctx, spec);
    const created: string[] = [];
    for (let n = 0; n < exposures; n++) {
      const { id } = await createExposure(ctx, testSpec(small, { name: `web-${n}` }));
      created.push(id);
      await ctx.db.exposureStatus.create({ data: { exposureId: id, phase: "serving", observedAt: ctx.now } });
    }
    const taken = await ctx.db.virtualAddress.findMany({
      where: { poolId: small.id },
      orderBy: { allocatedAt: "asc" },
    });
    const last = created.at(-1) ?? "";
    const fix = async () => {
      await deleteExposure(ctx, last);
      await removeExposure(ctx.db, last, new Date());
    };
    return { began: taken.at(-1)?.allocatedAt ?? ctx.now, fix };
  };
}

export const clusterProblems = {
  "cluster-unreachable": kubernetes("unreachable"),
  "cluster-refused": kubernetes("refused"),
  "cluster-degraded": kubernetes("degraded"),
  "cloud-metrics-missing": metricsMissing,
  "cloud-address-refused": cloudAddress("refused", "CloudRefused"),
  "cloud-address-unserved": cloudAddress("unserved", "AddressUnserved"),
  "pool-full": pool("192.0.2.0/30", 2),
  "pool-nearly-full": pool("192.0.2.0/28", 13),
} satisfies Partial<Record<AttentionKind, CreateProblem>>;
