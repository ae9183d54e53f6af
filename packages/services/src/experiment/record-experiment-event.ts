import type { Tx } from "@fairlead/db";
import type { Experiment } from "@fairlead/domain/experiment";
import { recordEvent } from "../control/record-event.ts";

/** recordExperimentEvent records that an experiment began or ended, among the events of its cluster. */
export function recordExperimentEvent(
  tx: Tx,
  experiment: ExperimentSubject,
  now: Date,
  message: string,
): Promise<void> {
  const { id, organizationId, clusterId, clusterName, state } = experiment;
  return recordEvent(tx, organizationId, {
    at: now,
    ...(state === "running"
      ? { reason: "ExperimentStarted" }
      : { reason: "ExperimentEnded", severity: state === "failed" ? "warning" : "info" }),
    message,
    subjectKind: "experiment",
    subjectId: id,
    subjectName: clusterName,
    clusterId,
  });
}

export type ExperimentSubject = Pick<Experiment, "id" | "clusterId" | "clusterName" | "state"> & {
  organizationId: string;
};
