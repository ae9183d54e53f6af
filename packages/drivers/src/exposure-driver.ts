import type { DesiredExposure, ExposureRef, ObservedOutside } from "@fairlead/domain";
import type { Driver } from "./driver.ts";

/**
 * ExposureDriver makes exposures real in the clusters of one kind. A desired exposure with deletedAt is set to
 * nothing; of one without, each load balancer with deletedAt is.
 */
export interface ExposureDriver extends Driver<ExposureRef, DesiredExposure, ObservedOutside> {}
