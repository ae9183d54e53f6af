export { flowPermissions } from "./flow-permissions.ts";
export { getExposureFlow } from "./get-exposure-flow.ts";
export { getFleetFlow } from "./get-fleet-flow.ts";
