/** The settings of the baseline RAP, from its paper (Nguyen et al., Sensors 22(8) 2869). No other strategy has them. */
export const rapRules = {
  /** Of CPU and of memory, each: from here on, a node is overloaded. */
  thresholdPercent: 90,
  weights: { cpu: 1 / 3, memory: 1 / 3, nearness: 1 / 3 },
};
export type RapRules = typeof rapRules;

/** RapNode is a node as RAP sees it from one entry. */
export type RapNode = {
  /** What the instances there use of what they may, 0 to 1; null if there are none. */
  used: { cpu: number; memory: number } | null;
  /** From the entry; null if unknown, which counts as the longest. */
  roundTripMs: number | null;
};

export type RapDecision = {
  isOverloaded: boolean;
  /** The node with the highest score, except the entry, by its index; null if none has room. */
  best: number | null;
  /** Where requests that enter go. They stay if no other node has room. */
  sendsTo: number;
};

/**
 * decideRap returns what RAP does with requests that enter at a node: they stay until its instances reach the threshold of CPU or
 * memory; then all of them go to the other node with the most free CPU, free memory and nearness. longestMs is the longest round
 * trip between any two of the nodes. The benchmark has the same decision in Go, agents/internal/bench/rap.
 */
export function decideRap(
  entry: number,
  nodes: readonly RapNode[],
  longestMs: number,
  { thresholdPercent, weights }: RapRules = rapRules,
): RapDecision {
  const hasRoom = ({ used }: RapNode) =>
    used !== null && used.cpu < thresholdPercent / 100 && used.memory < thresholdPercent / 100;
  const nearness = ({ roundTripMs }: RapNode) => (longestMs > 0 ? 1 - (roundTripMs ?? longestMs) / longestMs : 1);
  let best: number | null = null;
  let high = 0;
  for (const [index, node] of nodes.entries()) {
    if (index === entry || !node.used || !hasRoom(node)) continue;
    const free = weights.cpu * (1 - node.used.cpu) + weights.memory * (1 - node.used.memory);
    const score = free + weights.nearness * nearness(node);
    if (best !== null && !isHigher(score, high)) continue;
    best = index;
    high = score;
  }
  const here = nodes[entry];
  const isOverloaded = !here || !hasRoom(here);
  return { isOverloaded, best, sendsTo: isOverloaded ? (best ?? entry) : entry };
}

/** Equal scores differ by rounding: then the first node wins. */
function isHigher(score: number, high: number): boolean {
  return score - high > 1e-9;
}
