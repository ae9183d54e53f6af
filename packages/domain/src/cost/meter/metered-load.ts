import { bytesOfGb, type Load } from "../traffic/load.ts";
import type { Billing } from "./billing.ts";

/** MeteredHour is the usage of one load balancer in an hour. null: not measured. */
export type MeteredHour = {
  /** Hours since 1970. */
  hour: number;
  existsSeconds: number;
  addressSeconds: number;
  /** How long its traffic was measured. */
  coveredSeconds: number;
  machineSeconds: number;
  bytesIn: number | null;
  /** To clients, through the balancer: 0 with direct server return. */
  bytesOut: number | null;
  /** Both directions together, if its provider counts only the sum. */
  bytesBoth: number | null;
  connectionSeconds: number | null;
  connectionsNew: number | null;
};

const hourSeconds = 3_600;

/** loadOfHour is the load of a balancer while it was measured; NaN for unknown parts, and null if nothing was measured. */
export function loadOfHour(used: MeteredHour, responseShare: number | null): Load | null {
  const { connectionSeconds, connectionsNew, coveredSeconds } = used;
  const bytes = bytesOf(used, responseShare ?? Number.NaN);
  if (coveredSeconds === 0 || bytes === null) return null;
  const gbPerHour = (count: number) => (count / bytesOfGb) * (hourSeconds / coveredSeconds);
  return {
    mbps: (gbPerHour(bytes.both) * 8_000) / hourSeconds,
    gbPerHour: gbPerHour(bytes.both),
    gbInPerHour: gbPerHour(bytes.in),
    gbOutPerHour: gbPerHour(bytes.out),
    newPerSecond: (connectionsNew ?? Number.NaN) / coveredSeconds,
    active: (connectionSeconds ?? Number.NaN) / coveredSeconds,
    requestsPerSecond: 0,
    rulesPerRequest: 0,
  };
}

function bytesOf(
  { bytesIn, bytesOut, bytesBoth }: MeteredHour,
  responseShare: number,
): { in: number; out: number; both: number } | null {
  if (bytesBoth !== null)
    return { in: bytesBoth * (1 - responseShare), out: bytesBoth * responseShare, both: bytesBoth };
  if (bytesIn === null) return null;
  const out = bytesOut ?? (bytesIn * responseShare) / (1 - responseShare);
  return { in: bytesIn, out, both: bytesIn + out };
}

/** describeUnknown explains why the cost of an hour is incomplete, and what to do. */
export function describeUnknown(load: Load | null, billing: Billing): string {
  if (load === null)
    return billing.as === "bought" && billing.offer.provider === "aws"
      ? 'Hours without measured traffic exclude charges for traffic: set up "Cloud metrics" of the cluster to read it from AWS from then on.'
      : "Hours without measured traffic exclude charges for traffic.";
  if (Number.isNaN(load.gbOutPerHour))
    return 'Traffic to clients is not measured: set its share under "Runs as" of the cluster. Until then, charges for it are excluded.';
  return "Its connections were not measured, so charges that depend on them are excluded.";
}
