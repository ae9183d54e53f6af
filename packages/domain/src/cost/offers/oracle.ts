import type { Charge } from "../traffic/charge.ts";
import { egress, paidByTime } from "./charges.ts";
import { boughtFrom, clientInHeader } from "./lacks.ts";
import type { Demand, Offer, Prices } from "./offer.ts";

const networkOverview = "https://docs.oracle.com/iaas/Content/NetworkLoadBalancer/overview.htm";
const leastMbps = 10;
const mostMbps = 8_000;

/** bandwidth is the bandwidth reserved for a balancer: its traffic, at least the minimum. */
function bandwidth({ balancers }: Demand, prices: Prices): Charge {
  return {
    item: "Bandwidth",
    price: prices.get("flexible-lb-bandwidth"),
    paidBy: "hour",
    quantity: (each) => balancers * Math.max(leastMbps, each.mbps),
    follows: () => "data",
  };
}

const flexible: Offer = {
  id: "oracle-flexible-lb",
  provider: "oracle",
  product: "Flexible Load Balancer",
  layer: 7,
  protocols: ["tcp", "http"],
  tls: ["none", "passthrough", "terminate"],
  lacks: boughtFrom("Oracle Cloud", { "client-source-address": clientInHeader }),
  make: (demand, prices) => ({
    lines: [
      paidByTime("Balancer hours", prices.get("flexible-lb"), demand.balancers),
      bandwidth(demand, prices),
      ...egress(demand, prices),
    ],
    limits: [
      {
        of: "mbps",
        limit: mostMbps,
        basis: "published",
        source:
          "https://docs.oracle.com/en-us/iaas/tools/python/2.72.0/api/load_balancer/models/oci.load_balancer.models.ShapeDetails.html",
      },
    ],
    notes: ["It is assumed to get the whole free monthly amount: other balancers of the account would share that."],
  }),
};

const network: Offer = {
  id: "oracle-network-lb",
  provider: "oracle",
  elastic: networkOverview,
  product: "Flexible Network Load Balancer",
  layer: 4,
  protocols: ["tcp", "udp", "http", "quic"],
  tls: ["none", "passthrough"],
  lacks: boughtFrom("Oracle Cloud"),
  make: (demand, prices) => ({
    lines: [paidByTime("Balancer hours", prices.get("network-lb"), demand.balancers), ...egress(demand, prices)],
    // The default in a region with one availability domain.
    limits: [{ of: "active-connections", limit: 330_000, basis: "published", source: networkOverview }],
    notes: [],
  }),
};

export const oracleOffers: Offer[] = [flexible, network];
