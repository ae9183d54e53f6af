import { inTransaction, Prisma } from "@fairlead/db";
import { canonicalJson } from "@fairlead/domain";
import type { Cluster, UpdateCluster } from "@fairlead/domain/cluster";
import { authorize, type ServiceContext } from "../context.ts";
import { checkGeneration } from "../control/generation.ts";
import { lockRow } from "../control/lock-row.sql.ts";
import { markDirty } from "../control/mark-dirty.sql.ts";
import { recordSpecChange } from "../control/record-spec-change.ts";
import { onDuplicate } from "../control/unique.ts";
import { withoutUndefined } from "../control/without-undefined.ts";
import { loadCluster } from "./get.ts";
import { refusePaused } from "./refuse-paused.ts";
import { splitRouting } from "./split-routing.ts";
import { splitCloudMetrics, storeCloudMetrics } from "./store-cloud-metrics.ts";
import { splitCloudRoute, storeCloudRoute } from "./store-cloud-route.ts";
import { splitKubernetes, storeKubernetes } from "./store-kubernetes.ts";

/** updateCluster changes the given fields of a cluster. An update to the current values changes nothing. */
export async function updateCluster(
  ctx: ServiceContext,
  id: string,
  input: UpdateCluster,
  expectedGeneration?: number,
): Promise<Cluster> {
  authorize(ctx, "cluster:write");
  return inTransaction(ctx.db, async (tx) => {
    await lockRow(tx, "cluster", ctx.organizationId, id);
    const before = await loadCluster(tx, ctx.organizationId, id);
    checkGeneration("cluster", before.generation, expectedGeneration);
    const { routing, cloudRoute, cloudMetrics, kubernetes, ...rest } = input;
    const split = splitRouting(ctx, before.routing, routing);
    const cloud = splitCloudRoute(ctx, before.cloudRoute, cloudRoute);
    const measured = splitCloudMetrics(ctx, before.cloudMetrics, cloudMetrics);
    const attached = splitKubernetes(ctx, before, kubernetes);
    const isNewAccess = await storeKubernetes(tx, ctx, id, attached);
    const secrets = {
      ...(split.isNewPassword ? { routingPassword: "changed" } : {}),
      ...(cloud.isNewKey ? { cloudCredentials: "changed" } : {}),
      ...(measured.isNewKey ? { cloudMetricsCredentials: "changed" } : {}),
      ...(isNewAccess && attached.access ? { kubernetesCredentials: "changed" } : {}),
    };
    const shown = {
      routing: split.routing,
      cloudRoute: cloud.cloudRoute,
      cloudMetrics: measured.cloudMetrics,
      kubernetes: attached.shown,
    };
    const spec = { ...desired(before), ...withoutUndefined(rest), ...shown };
    const isNews = canonicalJson(spec) !== canonicalJson(desired(before)) || Object.keys(secrets).length > 0;
    if (!isNews) return before;
    const { routing: _, cloudRoute: __, cloudMetrics: ___, kubernetes: ____, runsAs, ...own } = spec;
    const data = { ...own, runsAs: runsAs ?? Prisma.DbNull, ...split.columns, generation: { increment: 1 } };
    await onDuplicate(
      tx.cluster.update({ where: { id }, data }),
      ["name"],
      `There is already a cluster named ${input.name}.`,
    );
    const isOtherRoute = cloud.isNewKey || canonicalJson(cloud.cloudRoute) !== canonicalJson(before.cloudRoute);
    if (isOtherRoute) await refusePaused(tx, id);
    if (cloudRoute !== undefined) await storeCloudRoute(tx, ctx, id, cloud);
    if (cloudMetrics !== undefined) await storeCloudMetrics(tx, id, measured);
    await markDirty(tx, "cluster", id, { urgent: true });
    const after = await loadCluster(tx, ctx.organizationId, id);
    await recordSpecChange(tx, ctx, {
      action: "cluster.update",
      subjectKind: "cluster",
      subjectId: id,
      subjectName: after.name,
      clusterId: id,
      before: desired(before),
      after: { ...desired(after), ...secrets },
    });
    return after;
  });
}

function desired({ name, region, labels, routing, cloudRoute, cloudMetrics, kubernetes, runsAs }: Cluster) {
  return { name, region, labels, routing, cloudRoute, cloudMetrics, kubernetes, runsAs };
}
