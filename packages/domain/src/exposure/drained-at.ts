import type { Strategy } from "./strategy.ts";

const drainSecondsUsually = 10;

/** drainedAt is when a Service that is to go since then may go: so long its connections go on, and nobody new is sent there. */
export function drainedAt(strategy: Strategy, deletedAt: Date): Date {
  const seconds = strategy.type === "per-replica" ? (strategy.drainSeconds ?? drainSecondsUsually) : 0;
  return new Date(deletedAt.getTime() + seconds * 1_000);
}
