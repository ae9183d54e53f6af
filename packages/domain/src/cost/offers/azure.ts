import type { Load } from "../traffic/load.ts";
import { addresses, capacityUnits, type Dimension, data, egress, paidByTime } from "./charges.ts";
import { bundledRules } from "./gcp.ts";
import { boughtFrom, clientInHeader } from "./lacks.ts";
import type { Demand, Limit, Offer } from "./offer.ts";

const standard: Offer = {
  id: "azure-lb-standard",
  provider: "azure",
  elastic: "https://learn.microsoft.com/azure/load-balancer/load-balancer-overview",
  product: "Standard Load Balancer",
  layer: 4,
  protocols: ["tcp", "udp", "http", "quic"],
  tls: ["none", "passthrough"],
  lacks: boughtFrom("Azure"),
  make: (demand, prices) => ({
    lines: [
      // Each balancer includes five rules; inbound NAT rules are free.
      paidByTime("Balancer with up to five rules", prices.get("lb-standard"), demand.balancers),
      ...(demand.profile.listeners > bundledRules
        ? [
            paidByTime(
              "Rules beyond five",
              prices.get("lb-standard-rule-more"),
              demand.balancers * (demand.profile.listeners - bundledRules),
              "listeners",
            ),
          ]
        : []),
      data("Data", prices.get("lb-standard-data"), demand, (each) => each.gbPerHour),
      addresses(prices, "public-ipv4", demand.balancers),
      ...egress(demand, prices),
    ],
    limits: [],
    notes: [],
  }),
};

// The capacity of a unit, and the largest number of units of a gateway: ten for each of 125 instances.
const unit = { mbps: 2.22, connections: 2_500, handshakes: 50, inspected: 10 };
const mostUnits = 125 * 10;
const source = "https://learn.microsoft.com/azure/application-gateway/understanding-pricing";
const limit = (of: Limit["of"], each: number): Limit => ({ of, limit: mostUnits * each, basis: "published", source });

function gatewayOf(kind: "standard" | "waf", product: string): Offer {
  const inspects = kind === "waf";
  return {
    id: `azure-appgw-${kind}`,
    provider: "azure",
    elastic: "https://learn.microsoft.com/azure/application-gateway/application-gateway-autoscaling-zone-redundant",
    product,
    layer: 7,
    protocols: ["http"],
    tls: ["none", "terminate"],
    lacks: boughtFrom("Azure", { "client-source-address": clientInHeader }),
    make: (demand, prices) => ({
      lines: [
        // This includes its public address.
        paidByTime("Gateway hours", prices.get(`appgw-${kind}`), demand.balancers),
        capacityUnits("Capacity units", prices.get(`appgw-${kind}-cu`), demand, [
          { name: "data", use: (each) => each.mbps, each: unit.mbps },
          { name: "active connections", use: (each) => each.active, each: unit.connections },
          ...computeOf(demand, inspects),
          // Any traffic uses at least one unit.
          ...(hasTraffic(demand) ? [{ name: "hours", use: () => 1, each: 1 }] : []),
        ]),
        ...egress(demand, prices),
      ],
      limits: [
        limit("mbps", unit.mbps),
        limit("active-connections", unit.connections),
        limit("new-connections", unit.handshakes),
        ...(inspects ? [limit("requests", unit.inspected)] : []),
      ],
      notes: ["It scales from zero; each instance kept ready would cost ten capacity units."],
    }),
  };
}

/** computeOf: terminating TLS takes CPU time, and so does a firewall that inspects requests. */
function computeOf({ profile }: Demand, inspects: boolean): Dimension[] {
  return [
    ...(profile.tls === "terminate"
      ? [{ name: "new connections", use: (each: Load) => each.newPerSecond, each: unit.handshakes }]
      : []),
    ...(inspects ? [{ name: "requests", use: (each: Load) => each.requestsPerSecond, each: unit.inspected }] : []),
  ];
}

function hasTraffic({ peak }: Demand): boolean {
  return peak.mbps > 0 || peak.newPerSecond > 0 || peak.active > 0 || peak.requestsPerSecond > 0;
}

export const azureOffers: Offer[] = [
  standard,
  gatewayOf("standard", "Application Gateway v2"),
  gatewayOf("waf", "Application Gateway v2 with firewall"),
];
