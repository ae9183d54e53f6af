import type { Replica } from "@fairlead/domain/load-balancer";
import { exposureLookedAtEveryMs } from "@fairlead/domain/node";

/** observeIntervalMs is how often a balancer is observed: the report interval of its agents, if it has any. */
export function observeIntervalMs(replicas: readonly Pick<Replica, "reportIntervalMs">[]): number {
  const intervals = replicas.flatMap((each) => each.reportIntervalMs ?? []);
  return intervals.length > 0 ? Math.max(...intervals) : exposureLookedAtEveryMs;
}
