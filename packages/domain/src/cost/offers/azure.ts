import { addresses, capacityUnits, data, egress, paidByTime } from "../charges.ts";
import { boughtFrom, clientInHeader } from "../lacks.ts";
import type { Limit, Offer } from "../offer.ts";
import { bundledRules } from "./gcp.ts";

const standard: Offer = {
  id: "azure-lb-standard",
  provider: "azure",
  product: "Standard Load Balancer",
  layer: 4,
  protocols: ["tcp", "udp", "http", "quic"],
  tls: ["none", "passthrough"],
  lacks: boughtFrom("Azure"),
  make: (demand, prices) => ({
    charges: [
      // Each balancer has five rules of its own; those that translate addresses inward are free.
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
      addresses(prices.get("public-ipv4"), demand.balancers),
      ...egress(demand, prices),
    ],
    limits: [],
    notes: [],
  }),
};

// What a capacity unit holds of each, and how many of them a gateway can grow to.
const unit = { mbps: 2.22, connections: 2_500 };
const mostUnits = 125 * 10;
const source = "https://learn.microsoft.com/azure/application-gateway/understanding-pricing";

/** What a compute unit does in a second, of which a capacity unit holds one. */
type Work = { name: string; of: "new-connections" | "requests"; each: number };

function gatewayOf(kind: "standard" | "waf", product: string, work: Work): Offer {
  const useOf = work.of === "requests" ? "requestsPerSecond" : "newPerSecond";
  const limits: Limit[] = [
    { of: "mbps", most: mostUnits * unit.mbps, basis: "published", source },
    { of: "active-connections", most: mostUnits * unit.connections, basis: "published", source },
    { of: work.of, most: mostUnits * work.each, basis: "published", source },
  ];
  return {
    id: `azure-appgw-${kind}`,
    provider: "azure",
    product,
    layer: 7,
    protocols: ["http"],
    tls: ["none", "terminate"],
    lacks: boughtFrom("Azure", { "client-source-address": clientInHeader }),
    make: (demand, prices) => ({
      charges: [
        paidByTime("Gateway hours", prices.get(`appgw-${kind}`), demand.balancers),
        capacityUnits("Capacity units", prices.get(`appgw-${kind}-cu`), demand, [
          { name: "data", use: (each) => each.mbps, each: unit.mbps },
          { name: "active connections", use: (each) => each.active, each: unit.connections },
          { name: work.name, use: (each) => each[useOf], each: work.each },
        ]),
        addresses(prices.get("public-ipv4"), demand.balancers),
        ...egress(demand, prices),
      ],
      limits,
      notes: ["It grows from nothing; each instance that is kept ready would cost ten capacity units."],
    }),
  };
}

export const azureOffers: Offer[] = [
  standard,
  gatewayOf("standard", "Application Gateway v2", { name: "new connections", of: "new-connections", each: 50 }),
  gatewayOf("waf", "Application Gateway v2 with firewall", { name: "requests", of: "requests", each: 10 }),
];
