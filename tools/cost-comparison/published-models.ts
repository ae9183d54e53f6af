import { gibOfGb, loadAt, type TrafficProfile } from "@fairlead/domain/cost";

/** The monthly cost in dollars by another tool's published model; null if the tool doesn't support the offer. */
export type PublishedModel = (offerId: string, profile: TrafficProfile) => number | null;

const month = 730;
const gb = (profile: TrafficProfile) => loadAt(profile, profile.averageMbps).gbPerHour * month;
const gbIn = (profile: TrafficProfile) => loadAt(profile, profile.averageMbps).gbInPerHour * month;

/**
 * Infracost (95ba4f49a): one rule for both kinds of AWS capacity units, and every forwarding rule
 * at the price of additional ones.
 */
export const infracost: PublishedModel = (offerId, profile) => {
  const load = loadAt(profile, profile.averageMbps);
  const units = Math.max(
    load.newPerSecond / 100,
    load.active / 3_000,
    load.gbPerHour,
    (load.requestsPerSecond * profile.rulesPerRequest) / 1_000,
  );
  switch (offerId) {
    case "aws-alb":
      return month * (0.0225 + 0.008 * units);
    case "aws-nlb":
      return month * (0.0225 + 0.006 * units);
    case "aws-clb":
      return month * 0.025 + 0.008 * gb(profile);
    case "gcp-passthrough-nlb":
      return month * 0.01 * profile.listeners + 0.008 * gbIn(profile) * gibOfGb;
    case "azure-lb-standard":
      return month * 0.01 * profile.listeners + 0.005 * gb(profile);
    default:
      return null;
  }
};

/** OpenCost (2024-10-24): one hourly price for each Service, regardless of its traffic. */
export const opencost: PublishedModel = (offerId) => {
  const hourly: Record<string, number> = {
    "aws-alb": 0.025,
    "aws-nlb": 0.025,
    "aws-clb": 0.025,
    "gcp-passthrough-nlb": 0.025,
    "azure-lb-standard": 0.005,
  };
  const price = hourly[offerId];
  return price === undefined ? null : price * month;
};
