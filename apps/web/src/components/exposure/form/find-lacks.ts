import type { Cluster } from "@fairlead/domain/cluster";
import {
  type Addressing,
  addressingNames,
  findAddressingLack,
  findClusterLack,
  findSoftwareLack,
  findStrategyLack,
  reachedBy,
  strategies,
} from "@fairlead/domain/exposure";
import { asSentence, type Problems } from "./check-draft.ts";
import type { ExposureDraft } from "./draft.ts";

type Chosen = Pick<ExposureDraft, "strategy" | "addressing">;
type ChosenKeys = { session: Pick<ExposureDraft["session"], "names" | "software" | "secret"> };

/** findLacks returns why an exposure can't be created in a cluster, by the field that has to change. */
export function findLacks({ strategy, addressing, session }: Chosen & ChosenKeys, cluster: Cluster): Problems {
  const reached = reachedBy(cluster);
  const ofCluster = findClusterLack(reached);
  if (ofCluster) return { clusterId: ofCluster.message };
  const ofStrategy = findStrategyLack(reached, strategy);
  if (ofStrategy) return { "strategy.type": ofStrategy.message };
  const isManaged = strategy === "session" && session.names === "managed";
  const ofSoftware = isManaged ? findSoftwareLack(cluster.kind, session.software) : null;
  if (ofSoftware) return { "strategy.ticketKeys.software": `${asSentence(ofSoftware)} Choose another.` };
  const ofAddressing = hasAddressing(strategy) ? findAddressingLack(reached, addressing) : null;
  return ofAddressing ? { "strategy.addressing": ofAddressing.message } : {};
}

/** findSecretProblem returns what is wrong with the Secret of managed ticket keys, once its field was left. */
export function findSecretProblem(
  { strategy, session }: Pick<Chosen, "strategy"> & ChosenKeys,
  cluster: Cluster,
): Problems {
  if (strategy !== "session" || session.names !== "managed") return {};
  const isForPods = cluster.kind === "kubernetes";
  if (isForPods === (session.secret.trim() !== "")) return {};
  const message = isForPods
    ? "Enter the name of the Secret that the pods mount."
    : "Leave it empty: only pods mount a Secret.";
  return { "strategy.ticketKeys.secret": message };
}

/** findAddressing returns the addressing that a cluster can have instead of the selected one; null if that can stay. */
export function findAddressing({ strategy, addressing }: Chosen, cluster: Cluster): Addressing | null {
  const able = addressingNames.filter((name) => !findAddressingLack(reachedBy(cluster), name));
  if (!hasAddressing(strategy) || able.includes(addressing)) return null;
  return able[0] ?? null;
}

function hasAddressing(strategy: ExposureDraft["strategy"]): boolean {
  return strategies[strategy].madeBy === "addressing";
}
