import { inTransaction } from "@fairlead/db";
import { newId } from "@fairlead/domain";
import type { Cluster, CreateCluster } from "@fairlead/domain/cluster";
import { authorize, type ServiceContext } from "../context.ts";
import { recordChange } from "../control/record-change.ts";
import { onDuplicate } from "../control/unique.ts";
import { loadCluster } from "./get.ts";
import { splitKubernetes, storeKubernetes } from "./store-kubernetes.ts";

export async function createCluster(ctx: ServiceContext, input: CreateCluster): Promise<Cluster> {
  authorize(ctx, "cluster:write");
  return inTransaction(ctx.db, async (tx) => {
    const id = newId("cluster", ctx.now);
    const { kubernetes, ...own } = input;
    const before = { name: input.name, kind: input.kind, kubernetes: null, exposureCount: 0 };
    const split = splitKubernetes(ctx, before, kubernetes);
    const data = { id, organizationId: ctx.organizationId, ...own };
    await onDuplicate(tx.cluster.create({ data }), ["name"], `There is already a cluster named ${input.name}.`);
    await storeKubernetes(tx, ctx, id, split);
    const cluster = await loadCluster(tx, ctx.organizationId, id);
    await recordChange(tx, ctx, {
      action: "cluster.create",
      subjectKind: "cluster",
      subjectId: id,
      subjectName: cluster.name,
      clusterId: id,
      before: null,
      after: { ...own, ...(split.shown ? { kubernetes: split.shown } : {}) },
    });
    return cluster;
  });
}
