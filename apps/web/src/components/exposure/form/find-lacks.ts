import type { Cluster } from "@fairlead/domain/cluster";
import {
  type Addressing,
  addressingNames,
  findAddressingLack,
  findClusterLack,
  findNamesLack,
  findStrategyLack,
  reachedBy,
  strategies,
} from "@fairlead/domain/exposure";
import { asSentence, type Problems } from "./check-draft.ts";
import type { ExposureDraft } from "./draft.ts";

type Chosen = Pick<ExposureDraft, "strategy" | "addressing">;
type ChosenNames = { session: Pick<ExposureDraft["session"], "names"> };

/** findLacks returns why an exposure can't be created in a cluster, by the field that has to change. */
export function findLacks({ strategy, addressing, session }: Chosen & ChosenNames, cluster: Cluster): Problems {
  const reached = reachedBy(cluster);
  const ofCluster = findClusterLack(reached);
  if (ofCluster) return { clusterId: ofCluster.message };
  const ofStrategy = findStrategyLack(reached, strategy);
  if (ofStrategy) return { "strategy.type": ofStrategy.message };
  const ofNames = strategy === "session" ? findNamesLack(cluster.kind, session.names) : null;
  if (ofNames) return { "strategy.names": `${asSentence(ofNames)} Choose another.` };
  const ofAddressing = hasAddressing(strategy) ? findAddressingLack(reached, addressing) : null;
  return ofAddressing ? { "strategy.addressing": ofAddressing.message } : {};
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
