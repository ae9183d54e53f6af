import type { Strategy } from "./strategy.ts";

const defaultDrainSeconds = 10;

/** drainedAt is when a Service marked for deletion at deletedAt may be deleted. Until then its connections continue, and new ones aren't sent there. */
export function drainedAt(strategy: Strategy, deletedAt: Date): Date {
  const seconds = strategy.type === "per-replica" ? (strategy.drainSeconds ?? defaultDrainSeconds) : 0;
  return new Date(deletedAt.getTime() + seconds * 1_000);
}
