import type { Tx } from "@fairlead/db";
import type { Experiment, ExperimentReplica, ExperimentState } from "@fairlead/domain/experiment";
import { appendFeed } from "../control/append-feed.sql.ts";
import { markDirty, markManyDirty } from "../control/mark-dirty.sql.ts";
import { recordExperimentEvent } from "./record-experiment-event.ts";

type Ended = { state: Exclude<ExperimentState, "running">; reason: string };

/**
 * endExperiment restores every replica, however it ended: an experiment that doesn't run removes no replica. The
 * caller has locked its row.
 */
export async function endExperiment(
  tx: Tx,
  organizationId: string,
  experiment: Pick<Experiment, "id" | "clusterId" | "clusterName" | "changeCount" | "settledCount">,
  replicas: readonly ExperimentReplica[],
  { state, reason }: Ended,
  now: Date,
): Promise<void> {
  const { id, clusterId, changeCount, settledCount } = experiment;
  await tx.experiment.update({ where: { id }, data: { state, reason, endedAt: now, drained: [] } });
  const nodeIds = replicas.map((each) => each.nodeId);
  await markManyDirty(tx, "node", nodeIds, { urgent: true });
  await markDirty(tx, "experiment", id);
  const words = { finished: "It finished", stopped: "It was stopped", failed: "It failed" }[state];
  const counts = `${changeCount} ${changeCount === 1 ? "change" : "changes"}, ${settledCount} settled. All replicas are restored.`;
  const message = `${words}${reason ? `: ${reason}` : "."} ${counts}`;
  await recordExperimentEvent(tx, { ...experiment, organizationId, state }, now, message);
  await appendFeed(tx, organizationId, [{ subjectKind: "experiment", subjectId: id, clusterId }]);
}
