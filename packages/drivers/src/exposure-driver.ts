import type { DesiredExposure, ExposureRef, ObservedInstance, ObservedOutside } from "@fairlead/domain";
import type { Change, Driver } from "./driver.ts";

/** A sentence on a load balancer that can't be made as it should be, while others can. */
export type ExposureProblem = { loadBalancerId: string; message: string };

/** isUnfinished says that there is more to do than one pass should take: what is there by now can be told first. */
export type SetExposure = { changes: Change[]; problems: ExposureProblem[]; isUnfinished?: boolean };

/**
 * ExposureDriver makes exposures real in one cluster. A desired exposure with deletedAt is set to nothing; of one without,
 * each load balancer with deletedAt is.
 */
export interface ExposureDriver extends Driver<ExposureRef, DesiredExposure, ObservedOutside, SetExposure> {
  /** The instances that observe would answer, without a look at what was made for them. */
  listInstances(ref: ExposureRef, signal: AbortSignal): Promise<ObservedInstance[]>;
}
