import { exposureLookedAtEveryMs, type Replica } from "@fairlead/domain";

/** seenEveryMs is how often something of a balancer is looked at: as often as its agents speak, where it has any. */
export function seenEveryMs(replicas: readonly Pick<Replica, "reportIntervalMs">[]): number {
  const intervals = replicas.flatMap((each) => each.reportIntervalMs ?? []);
  return intervals.length > 0 ? Math.max(...intervals) : exposureLookedAtEveryMs;
}
