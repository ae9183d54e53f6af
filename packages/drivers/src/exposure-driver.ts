import type {
  DesiredExposure,
  ExposureRef,
  ObservedInstance,
  ObservedOutside,
  Strategy,
} from "@fairlead/domain/exposure";
import type { Change, Driver } from "./driver.ts";
import type { PodTicketsDriver } from "./pod-tickets.ts";

/** Why one load balancer can't be set up as desired. */
export type ExposureProblem = { loadBalancerId: string; message: string };

/** isUnfinished means that one pass was not enough: the progress so far can be stored first. */
export type SetExposure = { changes: Change[]; problems: ExposureProblem[]; isUnfinished?: boolean };

/**
 * ExposureDriver sets up exposures in one cluster. A desired exposure with deletedAt is removed; in others, each load balancer with
 * deletedAt is removed.
 */
export interface ExposureDriver extends Driver<ExposureRef, DesiredExposure, ObservedOutside, SetExposure> {
  /** Whether it can set up exposures with this strategy. Others are only ever removed. */
  supports(strategy: Strategy): boolean;
  /** The instances that observe would return, without reading their load balancers. */
  listInstances(ref: ExposureRef, signal: AbortSignal): Promise<ObservedInstance[]>;
  /** Absent where instances are no pods. */
  tickets?: PodTicketsDriver;
}
