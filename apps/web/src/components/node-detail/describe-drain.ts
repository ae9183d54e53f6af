import type { NodeDetail } from "@fairlead/domain";
import { countOf } from "../words/numbers.ts";

/** describeDrain says how far a node that drains has come; null for one that serves. */
export function describeDrain({ drainingSince, announced }: Pick<NodeDetail, "drainingSince" | "announced">): {
  isDone: boolean;
  sentence: string;
} | null {
  if (!drainingSince) return null;
  const { offered, draining, withdrawn } = announced;
  const total = offered + draining + withdrawn;
  if (total === 0) return { isDone: true, sentence: "It is to drain, and announces nothing." };
  if (offered > 0)
    return {
      isDone: false,
      sentence: `It is to drain: ${offered} of ${countOf(total, "address", "addresses")} still to be left to other nodes.`,
    };
  if (draining > 0)
    return {
      isDone: false,
      sentence: `It drains: routers prefer other nodes, and ${countOf(draining, "address", "addresses")} ${draining === 1 ? "waits" : "wait"} for connections to end.`,
    };
  return { isDone: true, sentence: `It is drained: ${countOf(total, "address", "addresses")} withdrawn.` };
}

/** warnOfDrain says what a drain would take from clients; null where other nodes take over. */
export function warnOfDrain({ announced: { alone } }: Pick<NodeDetail, "announced">): string | null {
  const [first, ...others] = alone;
  if (!first) return null;
  const named = others.length === 0 ? first : `${first} and ${others.length} more`;
  return `No other node announces ${named}: nobody reaches that once its connections have ended.`;
}
