import type { Tx } from "@fairlead/db";
import { conflict, DomainError, invalid } from "@fairlead/domain";
import type { Cluster } from "@fairlead/domain/cluster";
import type { Exposure } from "@fairlead/domain/exposure";
import { placeAt, type StartMove } from "@fairlead/domain/move";
import { loadCluster } from "../cluster/get.ts";
import type { ServiceContext } from "../context.ts";
import { checkPlacements } from "../exposure/check-placements.ts";
import { loadExposure } from "../exposure/get.ts";
import { nameTaken } from "../exposure/preview.ts";

export type MoveEnds = { exposure: Exposure; from: Cluster; to: Cluster };

/** checkMove refuses a move that could not be completed, and names the field and the cure. */
export async function checkMove(tx: Tx, ctx: ServiceContext, input: StartMove): Promise<MoveEnds> {
  const { organizationId } = ctx;
  const exposure = await loadExposure(tx, organizationId, input.exposureId);
  const { name, strategy, placements } = exposure;
  const from = await loadCluster(tx, organizationId, exposure.clusterId);
  const path = ["exposureId"];
  if (exposure.deletedAt) throw conflict(`The exposure ${name} is being deleted, so it can't be moved.`, path);
  if (strategy.type !== "ecmp")
    throw conflict(
      `Only exposures with the strategy ecmp can be moved, and ${name} has ${strategy.type}. Create one in the other cluster, and change the clients to its address.`,
      path,
    );
  if (input.clusterId === exposure.clusterId)
    throw invalid(["clusterId"], `${name} is in ${from.name} already: choose another cluster.`);
  if (exposure.pausedAt) throw conflict(`The exposure ${name} is paused: resume it, then move it.`, path);
  const running = await tx.move.findFirst({ where: { exposureId: exposure.id, endedAt: null } });
  if (running)
    throw conflict(
      `${name} is being moved to ${running.toClusterName} already: wait for the end of that move, or roll it back.`,
      path,
    );
  if (placements.length > 0)
    throw conflict(
      `${name} spans several clusters: remove all but its own, ${from.name}, from its placements, then move it.`,
      path,
    );
  const { to } = await checkTarget(tx, ctx, input, { exposure, from });
  return { exposure, from, to };
}

async function checkTarget(
  tx: Tx,
  ctx: ServiceContext,
  { clusterId, workload }: StartMove,
  { exposure, from }: Omit<MoveEnds, "to">,
): Promise<{ to: Cluster }> {
  const spread = placeAt({ before: exposure, toClusterId: clusterId, workload: workload ?? null }, 50);
  const spec = { ...exposure, ...spread };
  const [to] = await checkPlacements(tx, ctx, { ...spec, cluster: from, before: [] }).catch((error: unknown) => {
    throw asField(error);
  });
  if (!to) throw invalid(["clusterId"], "There is no such cluster: choose another.");
  const namesake = await tx.exposure.findFirst({ where: { clusterId, name: exposure.name }, select: { id: true } });
  if (namesake) throw conflict(`${nameTaken(to.name, exposure.name)} Rename one of the two first.`, ["clusterId"]);
  return { to };
}

/** What placements refuse is a field of theirs; of a move, it is the cluster or the workload. */
function asField(error: unknown): unknown {
  if (!(error instanceof DomainError)) return error;
  const fields = error.fields.map(({ path, message }) => ({
    path: [path.at(-1) === "workload" ? "workload" : "clusterId"],
    message,
  }));
  return new DomainError(error.code, error.message, { fields, cause: error });
}
