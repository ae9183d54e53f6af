import type { Tx } from "@fairlead/db";
import { type Experiment, type ExperimentDetail, experimentReplica } from "@fairlead/domain/experiment";
import { authorize, type ServiceContext } from "../context.ts";
import { loadOne } from "../control/load-one.ts";
import { selectDelays } from "./delays.sql.ts";
import { experimentDetailSource, experimentSource } from "./rows.ts";

export async function getExperiment(ctx: ServiceContext, id: string): Promise<ExperimentDetail> {
  authorize(ctx, "cluster:read");
  const row = await loadExperimentRow(ctx.db, ctx.organizationId, id);
  return { ...row, ...(await selectDelays(ctx.db, id)) };
}

export function loadExperiment(tx: Tx, organizationId: string, id: string): Promise<Experiment> {
  return loadOne<Experiment>(tx, "experiment", experimentSource, organizationId, id);
}

export type ExperimentRow = Omit<ExperimentDetail, "delays" | "settleMsP50" | "settleMsP99">;

/** loadExperimentRow reads one with its participants. */
export async function loadExperimentRow(tx: Tx, organizationId: string, id: string): Promise<ExperimentRow> {
  const row = await loadOne<Omit<ExperimentRow, "replicas"> & { replicas: unknown }>(
    tx,
    "experiment",
    experimentDetailSource,
    organizationId,
    id,
  );
  return { ...row, replicas: experimentReplica.array().parse(row.replicas) };
}
