export { getExposureFlow } from "./get-exposure-flow.ts";
export { fleetFlowPermissions, getFleetFlow } from "./get-fleet-flow.ts";
