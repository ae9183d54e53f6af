import { egress, paidByTime } from "./charges.ts";
import { boughtFrom, clientInHeader } from "./lacks.ts";
import type { Offer } from "./offer.ts";

export const linodeOffers: Offer[] = [
  {
    id: "linode-nodebalancer",
    provider: "linode",
    product: "NodeBalancer",
    layer: 7,
    protocols: ["tcp", "http"],
    tls: ["none", "passthrough", "terminate"],
    lacks: boughtFrom("Linode", { "client-source-address": clientInHeader }),
    make: (demand, prices) => ({
      lines: [paidByTime("Balancers", prices.get("nodebalancer"), demand.balancers), ...egress(demand, prices)],
      limits: [{ of: "active-connections", limit: 10_000, basis: "assumed", source: "not verified" }],
      notes: [],
    }),
  },
];
