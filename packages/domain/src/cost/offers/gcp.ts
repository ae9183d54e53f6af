import { addresses, data, egress, paidByTime } from "./charges.ts";
import { boughtFrom, clientInHeader } from "./lacks.ts";
import type { Demand, Made, Offer, Prices } from "./offer.ts";

/** Number of rules included in one price; further ones are billed individually. */
export const bundledRules = 5;

function make(demand: Demand, prices: Prices): Made {
  const beyond = demand.balancers * demand.profile.listeners - bundledRules;
  return {
    lines: [
      // The rules of all balancers of a project are counted together.
      paidByTime("Forwarding rules, up to five", prices.get("forwarding-rules-5"), 1),
      ...(beyond > 0
        ? [paidByTime("Forwarding rules beyond five", prices.get("forwarding-rule-more"), beyond, "listeners")]
        : []),
      data("Data in", prices.get("lb-data-in"), demand, (each) => each.gbInPerHour),
      data("Data out", prices.get("lb-data-out"), demand, (each) => each.gbOutPerHour),
      addresses(prices, "rule-ipv4", demand.balancers),
      ...egress(demand, prices),
    ],
    limits: [],
    notes: [],
  };
}

/** It documents that all of them scale with traffic. */
const google = { provider: "gcp", elastic: "https://cloud.google.com/load-balancing", make } as const;

/** Measured in early 2009; newer limits weren't found. */
const appEngine =
  "If its backends run on App Engine, their quotas limit bursts: in 2009, to 100 sessions and less than 5 Mbit/s (How to choose a load balancer for the cloud).";

export const gcpOffers: Offer[] = [
  {
    ...google,
    id: "gcp-passthrough-nlb",
    product: "Passthrough Network Load Balancer",
    layer: 4,
    protocols: ["tcp", "udp", "http", "quic"],
    tls: ["none", "passthrough"],
    lacks: boughtFrom("Google Cloud"),
  },
  {
    ...google,
    id: "gcp-proxy-nlb",
    product: "Proxy Network Load Balancer",
    layer: 4,
    protocols: ["tcp", "http"],
    tls: ["none", "passthrough", "terminate"],
    lacks: boughtFrom("Google Cloud", { "client-source-address": clientInHeader }),
  },
  {
    ...google,
    id: "gcp-alb",
    product: "External Application Load Balancer",
    layer: 7,
    protocols: ["http", "quic"],
    tls: ["none", "terminate"],
    lacks: boughtFrom("Google Cloud", { "client-source-address": clientInHeader }),
    make: (demand, prices) => ({ ...make(demand, prices), conditions: [appEngine] }),
  },
];
