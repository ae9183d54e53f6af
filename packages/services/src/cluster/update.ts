import { inTransaction } from "@fairlead/db";
import { type Cluster, notFound, type UpdateCluster } from "@fairlead/domain";
import { authorize, type ServiceContext } from "../context.ts";
import { checkGeneration } from "../control/generation.ts";
import { recordChange } from "../control/record-change.ts";
import { onDuplicate } from "../control/unique.ts";
import { loadCluster } from "./get.ts";

export async function updateCluster(
  ctx: ServiceContext,
  id: string,
  input: UpdateCluster,
  expectedGeneration?: number,
): Promise<Cluster> {
  authorize(ctx, "cluster:write");
  return inTransaction(ctx.db, async (tx) => {
    const [locked] = await tx.$queryRaw<
      { generation: number }[]
    >`SELECT generation FROM cluster WHERE id = ${id} AND organization_id = ${ctx.organizationId} FOR UPDATE`;
    if (!locked) throw notFound("cluster", id);
    checkGeneration("cluster", locked.generation, expectedGeneration);
    const before = await loadCluster(tx, ctx.organizationId, id);
    const data = { ...withoutUndefined(input), generation: { increment: 1 } };
    await onDuplicate(
      tx.cluster.update({ where: { id }, data }),
      ["name"],
      `There is already a cluster named ${input.name}.`,
    );
    const after = await loadCluster(tx, ctx.organizationId, id);
    await recordChange(tx, ctx, {
      action: "cluster.update",
      subjectKind: "cluster",
      subjectId: id,
      subjectName: after.name,
      clusterId: id,
      before: desired(before),
      after: desired(after),
    });
    return after;
  });
}

function desired({ name, region, labels }: Cluster) {
  return { name, region, labels };
}

function withoutUndefined<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
