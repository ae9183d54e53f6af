import { inTransaction } from "@fairlead/db";
import type { Experiment } from "@fairlead/domain/experiment";
import { authorize, type ServiceContext } from "../context.ts";
import { lockRow } from "../control/lock-row.sql.ts";
import { recordChange } from "../control/record-change.ts";
import { endExperiment } from "./end.ts";
import { loadExperiment, loadExperimentRow } from "./get.ts";

/** stopExperiment ends an experiment and restores every replica. One that has ended is left unchanged. */
export async function stopExperiment(ctx: ServiceContext, id: string): Promise<Experiment> {
  authorize(ctx, "cluster:write");
  const { organizationId, now } = ctx;
  return inTransaction(ctx.db, async (tx) => {
    await lockRow(tx, "experiment", organizationId, id);
    const before = await loadExperimentRow(tx, organizationId, id);
    if (before.state !== "running") return loadExperiment(tx, organizationId, id);
    const ended = { state: "stopped", reason: `by ${ctx.actor.name}.` } as const;
    await endExperiment(tx, organizationId, before, before.replicas, ended, now);
    const after = await loadExperiment(tx, organizationId, id);
    await recordChange(tx, ctx, {
      action: "experiment.stop",
      subjectKind: "experiment",
      subjectId: id,
      subjectName: after.clusterName,
      clusterId: after.clusterId,
      before: { state: before.state },
      after: { state: after.state },
    });
    return after;
  });
}
