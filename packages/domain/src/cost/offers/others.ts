import { egress, paidByTime } from "./charges.ts";
import { addressChanges, boughtFrom, clientInHeader } from "./lacks.ts";
import type { Offer } from "./offer.ts";

const hourSeconds = 3_600;
const million = 1e6;

const alibaba: Offer = {
  id: "alibaba-slb",
  provider: "alibaba",
  product: "Server Load Balancer",
  layer: 4,
  protocols: ["tcp", "udp", "http", "quic"],
  tls: ["none", "passthrough"],
  lacks: boughtFrom("Alibaba Cloud"),
  make: (demand, prices) => ({
    charges: [paidByTime("Balancer hours", prices.get("slb"), demand.balancers), ...egress(demand, prices)],
    limits: [],
    notes: ["Its price is a tool's default, no list price."],
  }),
};

/** bunny is paid by the request, whatever it weighs. */
const bunny: Offer = {
  id: "bunny-lb",
  provider: "bunny",
  product: "Load Balancer",
  layer: 7,
  protocols: ["http", "quic"],
  tls: ["none", "terminate"],
  lacks: boughtFrom("bunny.net", { "client-source-address": clientInHeader, "static-ip": addressChanges }),
  make: (demand, prices) => ({
    charges: [
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

/** OVHcloud is here so that it is missed: no price of it is known. */
const ovh: Offer = {
  id: "ovh-lb",
  provider: "ovh",
  product: "Public Cloud Load Balancer",
  layer: 7,
  protocols: ["tcp", "http"],
  tls: ["none", "passthrough", "terminate"],
  lacks: boughtFrom("OVHcloud", { "client-source-address": clientInHeader }),
  make: (demand, prices) => ({
    charges: [paidByTime("Balancer hours", prices.get("lb-s"), demand.balancers)],
    limits: [],
    notes: [],
  }),
};

export const otherOffers: Offer[] = [alibaba, bunny, ovh];
