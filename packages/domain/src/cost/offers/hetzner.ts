import { egress, paidByHourOrMonth } from "./charges.ts";
import { boughtFrom, clientInHeader } from "./lacks.ts";
import type { Offer } from "./offer.ts";

const source = "https://docs.hetzner.cloud/ (load_balancer_types)";

/** LB11 is the only size with a known price. It includes traffic to the internet. */
export const hetznerOffers: Offer[] = [
  {
    id: "hetzner-lb11",
    provider: "hetzner",
    product: "Load Balancer LB11",
    layer: 7,
    protocols: ["tcp", "http"],
    tls: ["none", "passthrough", "terminate"],
    // Its max_services.
    mostListeners: 5,
    lacks: boughtFrom("Hetzner", { "client-source-address": clientInHeader }),
    make: (demand, prices) => ({
      lines: [
        paidByHourOrMonth("Balancers", "lb11", prices, demand.balancers),
        ...egress(demand, prices, { allowances: demand.balancers }),
      ],
      limits: [{ of: "active-connections", limit: 20_000, basis: "published", source }],
      notes: [],
    }),
  },
];
