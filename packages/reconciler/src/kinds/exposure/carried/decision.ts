import type { DesiredExposure, DesiredLoadBalancer, ObservedInstance } from "@fairlead/domain/exposure";
import type { ExposureHead } from "../exposure-head.sql.ts";

/** problems are what balancers lack, by their ids. */
export type Single = {
  /** How many more there are than one exposure may have. */
  surplus: number;
  problems: ReadonlyMap<string, string>;
  /** A part of them was just created: agents that report meanwhile can't have it yet. */
  isFresh: boolean;
  /** When the next balancer has waited long enough for its instance. */
  nextInMs: number | null;
};

/** Decision is the desired placement from now on. */
export type Decision = {
  placed: DesiredExposure;
  /** The state before. */
  head: ExposureHead;
  /** It is as decided before the pause. */
  isPaused: boolean;
  /** The agents' configs must change for it. */
  isNews: boolean;
  /** What to do about a replica of a balancer that has no agent. */
  lack: (balancer: DesiredLoadBalancer) => string;
  /** Which instances get no traffic through the one balancer for all; empty when there are none. */
  omitted: string;
  /** Why its instances are unknown; empty when they are known. */
  unseen: string;
  /** The instances that are mapped, by name; null while they are unknown, or where any of them answers for all. */
  instances: ReadonlyMap<string, ObservedInstance> | null;
  /** Of balancers of single instances; null where there is one for all. */
  single: Single | null;
  /** When the backends change next by time alone; null when never. */
  nextAt: Date | null;
  /** When a silent agent is to be given up; null while none is silent. */
  judgeInMs: number | null;
  /** When the rotation of its ticket keys continues by time alone; null when never. */
  ticketsInMs: number | null;
};
