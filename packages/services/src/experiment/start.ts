import { randomInt } from "node:crypto";
import { inTransaction, type Tx } from "@fairlead/db";
import { conflict, invalid, newId } from "@fairlead/domain";
import type { Experiment, ExperimentReplica, StartExperiment } from "@fairlead/domain/experiment";
import { loadCluster } from "../cluster/get.ts";
import { authorize, type ServiceContext } from "../context.ts";
import { lockRow } from "../control/lock-row.sql.ts";
import { markDirty } from "../control/mark-dirty.sql.ts";
import { recordChange } from "../control/record-change.ts";
import { loadExperiment } from "./get.ts";
import { selectRouters } from "./kernel-routes.sql.ts";
import { selectDrainingNodes, selectParticipants } from "./participants.sql.ts";
import { recordExperimentEvent } from "./record-experiment-event.ts";

/** startExperiment changes the replica count of a cluster at random for a while. */
export async function startExperiment(ctx: ServiceContext, input: StartExperiment): Promise<Experiment> {
  authorize(ctx, "cluster:write");
  const { organizationId, now } = ctx;
  const { clusterId, seed = randomInt(2 ** 32), ...rest } = input;
  return inTransaction(ctx.db, async (tx) => {
    // The lock on the cluster's row serialises two that start at once.
    await lockRow(tx, "cluster", organizationId, clusterId, { path: ["clusterId"] });
    const replicas = await checkMayStart(tx, ctx, input);
    const id = newId("experiment", now);
    const startedBy = ctx.actor.name;
    await tx.experiment.create({
      data: { id, organizationId, clusterId, ...rest, seed, replicas, state: "running", startedBy, startedAt: now },
    });
    await markDirty(tx, "experiment", id, { urgent: true });
    const after = await loadExperiment(tx, organizationId, id);
    await recordExperimentEvent(tx, { ...after, organizationId }, now, `${startedBy} started it: ${describe(after)}`);
    await recordChange(tx, ctx, {
      action: "experiment.start",
      subjectKind: "experiment",
      subjectId: id,
      subjectName: after.clusterName,
      clusterId,
      before: null,
      after: { ...rest, clusterId, seed },
    });
    return after;
  });
}

async function checkMayStart(tx: Tx, ctx: ServiceContext, input: StartExperiment): Promise<ExperimentReplica[]> {
  const { clusterId, fewestReplicas } = input;
  const { name, routing } = await loadCluster(tx, ctx.organizationId, clusterId, ["clusterId"]);
  const running = await tx.experiment.findFirst({ where: { clusterId, state: "running" }, select: { id: true } });
  if (running) throw conflict(`An experiment runs in ${name} already; wait for its end, or stop it.`, ["clusterId"]);
  if (!routing) throw conflict(`${name} announces nothing by BGP; set up its routing first.`, ["clusterId"]);
  const [draining] = await selectDrainingNodes(tx, clusterId);
  if (draining) throw conflict(`${draining} drains; put it back into service first.`, ["clusterId"]);
  const { replicas, alone } = await selectParticipants(tx, clusterId);
  if (replicas.length < 2)
    throw conflict(
      alone.length > 0
        ? `Only one replica announces ${alone[0]}, so it can't be removed; let two announce it first.`
        : `${replicas.length === 0 ? "No replica" : "Only one replica"} in ${name} announces anything; an experiment needs two, so that one can be removed.`,
      ["clusterId"],
    );
  if (fewestReplicas >= replicas.length)
    throw invalid(
      ["fewestReplicas"],
      `${replicas.length} replicas take part, so at most ${replicas.length - 1} may have to serve for anything to change.`,
    );
  if ((await selectRouters(tx, clusterId)).length === 0)
    throw conflict(
      `No router of ${name} reports its kernel's routes, so nothing could be measured. FRR, BIRD and hardware don't: enrol an agent in the role router next to them, with the same peers.`,
      ["clusterId"],
    );
  return replicas;
}

function describe({ replicaCount, fewestReplicas, changeEverySeconds, durationSeconds }: Experiment): string {
  return `${fewestReplicas} to ${replicaCount} replicas at random, another count every ${changeEverySeconds} s, for ${durationSeconds} s.`;
}
