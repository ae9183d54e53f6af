import { formatQuantity } from "@/components/charts/data/quantity.ts";
import { percent } from "@/components/words/numbers.ts";
import type { Savings } from "./sum-savings.ts";

/** describeSavings states the difference to an even choice, and how it is calculated. */
export function describeSavings({ spentMs, evenMs }: Savings): { amount: string; how: string } {
  const saved = evenMs - spentMs;
  const word = saved < 0 ? "more" : "less";
  return {
    amount: `${sumOfMs(Math.abs(saved))} ${word} (${percent(Math.abs(saved) / evenMs)})`,
    how: `One round trip for each new connection in this range: ${sumOfMs(spentMs)}, and ${sumOfMs(evenMs)} with an even choice among all instances.`,
  };
}

/** Sums over a month would be unreadable in seconds. */
function sumOfMs(ms: number): string {
  const minutes = ms / 60_000;
  if (minutes < 10) return formatQuantity(ms, "ms");
  return minutes < 600 ? `${minutes.toFixed(0)}\u00a0min` : `${(minutes / 60).toFixed(0)}\u00a0h`;
}
