import { egress, paidByTime } from "./charges.ts";
import { addressChanges, boughtFrom, clientInHeader } from "./lacks.ts";
import type { Offer } from "./offer.ts";

const hourSeconds = 3_600;
const million = 1e6;

export const alibaba: Offer = {
  id: "alibaba-slb",
  provider: "alibaba",
  product: "Server Load Balancer",
  layer: 4,
  protocols: ["tcp", "udp", "http", "quic"],
  tls: ["none", "passthrough"],
  lacks: boughtFrom("Alibaba Cloud"),
  make: (demand, prices) => ({
    lines: [paidByTime("Balancer hours", prices.get("slb"), demand.balancers), ...egress(demand, prices)],
    limits: [],
    notes: ["Its price is the default of a tool, not a list price."],
  }),
};

/** bunny is billed per request, regardless of size. */
export const bunny: Offer = {
  id: "bunny-lb",
  provider: "bunny",
  product: "Load Balancer",
  layer: 7,
  protocols: ["http", "quic"],
  tls: ["none", "terminate"],
  lacks: boughtFrom("bunny.net", { "client-source-address": clientInHeader, "static-ip": addressChanges }),
  make: (demand, prices) => ({
    lines: [
      paidByTime("Balancers", prices.get("load-balancer"), demand.balancers),
      {
        item: "Requests",
        price: prices.get("requests"),
        paidBy: "volume",
        quantity: (each) => (demand.balancers * each.requestsPerSecond * hourSeconds) / million,
        follows: () => "requests",
        allowances: demand.balancers,
      },
      ...egress(demand, prices),
    ],
    limits: [],
    notes: [],
  }),
};

/** OVHcloud is listed although its price is unknown, so that users see that it is missing. */
export const ovh: Offer = {
  id: "ovh-lb",
  provider: "ovh",
  product: "Public Cloud Load Balancer",
  layer: 7,
  protocols: ["tcp", "http"],
  tls: ["none", "passthrough", "terminate"],
  lacks: boughtFrom("OVHcloud", { "client-source-address": clientInHeader }),
  make: (demand, prices) => ({
    lines: [paidByTime("Balancer hours", prices.get("lb-s"), demand.balancers)],
    limits: [],
    notes: [],
  }),
};
