import type { DesiredExposure, ExposureRef, ObservedOutside } from "@fairlead/domain";
import type { Change, Driver } from "./driver.ts";

/** A sentence on a load balancer that can't be made as it should be, while others can. */
export type ExposureProblem = { loadBalancerId: string; message: string };

export type SetExposure = { changes: Change[]; problems: ExposureProblem[] };

/**
 * ExposureDriver makes exposures real in one cluster. A desired exposure with deletedAt is set to nothing; of one without,
 * each load balancer with deletedAt is.
 */
export interface ExposureDriver extends Driver<ExposureRef, DesiredExposure, ObservedOutside, SetExposure> {}
