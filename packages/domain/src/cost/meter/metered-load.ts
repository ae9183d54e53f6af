import { bytesOfGb, type Load } from "../traffic/load.ts";
import type { Billing } from "./billing.ts";

/** MeteredHour is what one load balancer used in an hour. What was not measured is null. */
export type MeteredHour = {
  /** Hours since 1970. */
  hour: number;
  existsSeconds: number;
  addressSeconds: number;
  /** For so long its traffic was measured. */
  coveredSeconds: number;
  machineSeconds: number;
  bytesIn: number | null;
  /** To clients, through it: 0 where answers pass it by. */
  bytesOut: number | null;
  /** Both ways, where its provider tells them together. */
  bytesBoth: number | null;
  connectionSeconds: number | null;
  connectionsNew: number | null;
};

const hourSeconds = 3_600;

/** loadOfHour is what a balancer carried while that was measured, and NaN what of it is unknown; null where nothing was. */
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

/** whatIsUnknown says why not all that an hour cost is known, and what to do about it. */
export function whatIsUnknown(load: Load | null, billing: Billing): string {
  if (load === null)
    return billing.as === "bought" && billing.offer.provider === "aws"
      ? 'In hours when nobody measured its traffic, what is paid by traffic is not in it: "Cloud metrics" of the cluster has AWS tell it from then on.'
      : "In hours when nobody measured its traffic, what is paid by traffic is not in it.";
  if (Number.isNaN(load.gbOutPerHour))
    return 'How much goes out to clients is not measured: tell under "Runs as" of the cluster which share of the traffic that is. Until then what is paid by it is not in it.';
  return "Its connections were not measured, so what is paid by them, too, is not in it.";
}
