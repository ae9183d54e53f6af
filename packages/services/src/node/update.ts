import { inTransaction } from "@fairlead/db";
import { canonicalJson } from "@fairlead/domain";
import type { Node, UpdateNode } from "@fairlead/domain/node";
import { authorize, type ServiceContext } from "../context.ts";
import { checkGeneration } from "../control/generation.ts";
import { lockRow } from "../control/lock-row.sql.ts";
import { markCloudRoute } from "../control/mark-cloud-route.sql.ts";
import { markDirty } from "../control/mark-dirty.sql.ts";
import { recordChange } from "../control/record-change.ts";
import { onDuplicate } from "../control/unique.ts";
import { withoutUndefined } from "../control/without-undefined.ts";
import { loadNode } from "./get.ts";
import { recordDrainEvent } from "./record-drain-event.ts";

/**
 * updateNode changes a node's name or settings, and drains it or puts it back. A setting that is left out stays; an
 * update to the current values changes nothing.
 */
export async function updateNode(
  ctx: ServiceContext,
  id: string,
  input: UpdateNode,
  expectedGeneration?: number,
): Promise<Node> {
  authorize(ctx, "node:write");
  return inTransaction(ctx.db, async (tx) => {
    await lockRow(tx, "node", ctx.organizationId, id);
    const before = await loadNode(ctx, tx, id);
    checkGeneration("node", before.generation, expectedGeneration);
    const spec = {
      name: input.name ?? before.name,
      settings: { ...before.settings, ...withoutUndefined(input.settings ?? {}) },
    };
    const { draining = before.drainingSince !== null } = input;
    if (canonicalJson({ ...spec, draining }) === canonicalJson(desired(before))) return before;
    const drainingSince = draining ? (before.drainingSince ?? ctx.now) : null;
    const data = { ...spec, drainingSince, generation: { increment: 1 } };
    await onDuplicate(
      tx.node.update({ where: { id }, data }),
      ["name"],
      `${before.clusterName} already has a node named ${input.name}.`,
    );
    await markDirty(tx, "node", id, { urgent: true });
    const after = await loadNode(ctx, tx, id);
    if (draining !== (before.drainingSince !== null)) {
      await markCloudRoute(tx, after.clusterId, { urgent: true });
      await recordDrainEvent(tx, ctx, after);
    }
    await recordChange(tx, ctx, {
      action: "node.update",
      subjectKind: "node",
      subjectId: id,
      subjectName: after.name,
      clusterId: after.clusterId,
      before: desired(before),
      after: desired(after),
    });
    return after;
  });
}

function desired({ name, settings, drainingSince }: Node) {
  return { name, settings, draining: drainingSince !== null };
}
