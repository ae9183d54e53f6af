import type { Choice } from "./choice.ts";

/**
 * stateText is what watchers are woken for: the winner, who is eligible, and what each meets. Points, and the order of those
 * that don't win, change with every measurement.
 */
export function stateText({ among, winner, items }: Pick<Choice, "among" | "winner" | "items">): string {
  const each = items
    .map(({ id, isEligible, evidence }) => `${id} ${isEligible} ${evidence.map(({ result }) => result).join(" ")}`)
    .sort();
  return [among, winner?.id ?? "", ...each].join("\n");
}
