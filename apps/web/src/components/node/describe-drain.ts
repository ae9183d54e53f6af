import type { NodeDetail } from "@fairlead/domain/node";
import { countOf } from "../words/numbers.ts";

/** describeDrain describes the progress of a drain; null if the node is not draining. */
export function describeDrain({ drainingSince, announced }: Pick<NodeDetail, "drainingSince" | "announced">): {
  isDone: boolean;
  sentence: string;
} | null {
  if (!drainingSince) return null;
  const { offered, draining, withdrawn } = announced;
  const total = offered + draining + withdrawn;
  if (total === 0) return { isDone: true, sentence: "Drain requested. No addresses are announced." };
  if (offered > 0)
    return {
      isDone: false,
      sentence: `Drain requested: ${offered} of ${countOf(total, "address", "addresses")} still to move to other nodes.`,
    };
  if (draining > 0)
    return {
      isDone: false,
      sentence: `Draining: routers prefer other nodes, and ${countOf(draining, "address", "addresses")} ${draining === 1 ? "waits" : "wait"} for connections to finish.`,
    };
  return { isDone: true, sentence: `Drained: ${countOf(total, "address", "addresses")} withdrawn.` };
}

/** warnOfDrain names or counts the addresses that a drain makes unreachable; null if other nodes take over all of them. */
export function warnOfDrain({ announced: { alone, aloneCount } }: Pick<NodeDetail, "announced">): string | null {
  if (aloneCount === 0) return null;
  const [first] = alone;
  // Without map:read the addresses are hidden.
  const named = first ? nameFirst(first, aloneCount - 1) : countOf(aloneCount, "of its addresses", "of its addresses");
  return `No other node announces ${named}. It becomes unreachable once its connections have finished.`;
}

function nameFirst(first: string, others: number): string {
  return others === 0 ? first : `${first} and ${others} more`;
}
