export { figuresOf, type Measured } from "./figures-of.ts";
export { type ExposureFlowRows, flowOfExposure } from "./flow-of-exposure.ts";
export {
  type BalancerNode,
  type CarriedExposure,
  type FleetFlowRows,
  type FlowExposure,
  flowOfFleet,
} from "./flow-of-fleet.ts";
export type { ClientSample, RouterHop } from "./join-flow.ts";
export {
  type FlowColumn,
  type FlowKind,
  type FlowLink,
  type FlowPlace,
  type FlowState,
  flowColumns,
  flowStates,
  type TrafficFlow,
  trafficFlow,
} from "./traffic-flow.ts";
