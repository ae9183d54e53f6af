export { CloudRefused } from "./aws-api/cloud-refused.ts";
export type {
  BalancerProblem,
  CloudMetricsDriver,
  CloudMetricsFor,
  FoundBalancer,
  MeasuredSeries,
  Span,
} from "./cloud-metrics/cloud-metrics.ts";
export type {
  AddressProblem,
  CheckedAddress,
  CloudRouteDriver,
  CloudRouteFor,
  ObservedAddress,
} from "./cloud-route/cloud-route.ts";
export type { Change, Driver } from "./driver.ts";
export type { ExposureDriver, ExposureProblem, SetExposure } from "./exposure-driver.ts";
export type { PodSecretRef, PodTicketKey, PodTickets, PodTicketsDriver } from "./pod-tickets.ts";
export { type DriverFor, driversOf } from "./registry.ts";
export { TerminalError } from "./terminal-error.ts";
