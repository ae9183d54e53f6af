import {
  type Catalogue,
  type CostOption,
  compileCatalogue,
  estimateCosts,
  estimateRequest,
  type TrafficProfileInput,
} from "@fairlead/domain/cost";
import { readPriceSeed } from "@fairlead/domain/cost/price-seed";
import { infracost, opencost } from "./published-models.ts";

type Row = { what: string; offerId: string; region: string; profile: TrafficProfileInput; why: string };

const rows: Row[] = [
  {
    what: "ALB, 25 Mbit/s of HTTP",
    offerId: "aws-alb",
    region: "us-east-1",
    profile: { averageMbps: 25, protocol: "http" },
    why: "Data leads, so both units agree; ours adds the public addresses, two at least. OpenCost counts no data.",
  },
  {
    what: "ALB, 1 Mbit/s, 100 new connections/s of 1 s",
    offerId: "aws-alb",
    region: "us-east-1",
    profile: { averageMbps: 1, newConnectionsPerSecond: 100, connectionDurationSeconds: 1, protocol: "http" },
    why: "A unit of an ALB holds 25 new connections a second; Infracost takes 100.",
  },
  {
    what: "ALB, 100 requests/s through 20 rules",
    offerId: "aws-alb",
    region: "us-east-1",
    profile: {
      averageMbps: 1,
      newConnectionsPerSecond: 1,
      requestsPerSecond: 100,
      rulesPerRequest: 20,
      protocol: "http",
    },
    why: "The first ten rules of a request are free; Infracost counts all of them.",
  },
  {
    what: "NLB, 1 Mbit/s, 100 000 idle connections",
    offerId: "aws-nlb",
    region: "us-east-1",
    profile: { averageMbps: 1, newConnectionsPerSecond: 10, activeConnections: 100_000 },
    why: "A unit of an NLB holds 100 000 live TCP connections; Infracost takes the 3 000 of an ALB.",
  },
  {
    what: "NLB that ends TLS, 500 new connections/s of 1 s",
    offerId: "aws-nlb",
    region: "us-east-1",
    profile: { averageMbps: 1, newConnectionsPerSecond: 500, connectionDurationSeconds: 1, tls: "terminate" },
    why: "A unit holds 50 handshakes a second; Infracost has no limit for TLS there and takes 100 connections.",
  },
  {
    what: "CLB, 25 Mbit/s",
    offerId: "aws-clb",
    region: "us-east-1",
    profile: { averageMbps: 25 },
    why: "Both take the hour and each GB; ours adds the public address.",
  },
  {
    what: "Google passthrough, 3 rules, 25 Mbit/s",
    offerId: "gcp-passthrough-nlb",
    region: "us-central1",
    profile: { averageMbps: 25, listeners: 3 },
    why: "Up to five rules cost 0.025 together, and data is paid both ways; Infracost takes 0.01 a rule and data in alone.",
  },
  {
    what: "Google passthrough, 8 rules, no traffic",
    offerId: "gcp-passthrough-nlb",
    region: "us-central1",
    profile: { averageMbps: 0, listeners: 8 },
    why: "Five rules together and three more; Infracost takes eight at the price of a further one, OpenCost counts one.",
  },
  {
    what: "Azure Standard, 2 rules, 25 Mbit/s",
    offerId: "azure-lb-standard",
    region: "eastus",
    profile: { averageMbps: 25, listeners: 2 },
    why: "0.025 an hour includes five rules; Infracost takes 0.01 for each. OpenCost takes the price of a GB for that of an hour. Ours adds the address.",
  },
];

/** comparisonTable compares the monthly cost of the same profiles by Fairlead's rules and by published rules of other tools. */
export function comparisonTable(): string {
  const catalogue = compileCatalogue(readPriceSeed(), { now: new Date("2026-11-25T00:00:00Z") });
  const body = rows.map((row) => {
    const option = priceOf(row, catalogue);
    const { profile } = estimateRequest.parse({ profile: row.profile });
    const cells = [infracost(row.offerId, profile), opencost(row.offerId, profile)].map((dollars) =>
      dollars === null ? "–" : inCents(dollars),
    );
    return `| ${[row.what, inCents(option.monthlyMicros / 1e6), ...cells, row.why].join(" | ")} |`;
  });
  return [
    "| a month of 730 hours, in USD | Fairlead | Infracost | OpenCost | why they differ |",
    "|---|--:|--:|--:|---|",
    ...body,
  ].join("\n");
}

/** inCents rounds half a cent up, which binary fractions don't always represent exactly. */
function inCents(dollars: number): string {
  return (Math.round(dollars * 100 + 1e-6) / 100).toFixed(2);
}

function priceOf({ profile, offerId, region }: Row, catalogue: Catalogue): CostOption {
  const { options } = estimateCosts(estimateRequest.parse({ profile, regions: [region] }), catalogue);
  const option = options.find((each) => each.offerId === offerId);
  if (!option) throw new Error(`${offerId} has no price in ${region}`);
  return option;
}
