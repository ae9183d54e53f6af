import { addresses, paidByTime } from "./charges.ts";
import { boughtFrom, clientInHeader } from "./lacks.ts";
import type { Offer } from "./offer.ts";

const source = "https://www.scaleway.com/en/docs/load-balancer/reference-content/load-balancers-limitations/";

/** The capacity of each size. Only the price of the smallest is known; the others are listed without one. */
const sizes = [
  { name: "S", mbps: 200, connections: 20_000 },
  { name: "M", mbps: 500, connections: 50_000 },
  { name: "L", mbps: 1_000, connections: 160_000 },
  { name: "XL", mbps: 4_000, connections: 3_000_000 },
];

export const scalewayOffers: Offer[] = sizes.map(({ name, mbps, connections }) => ({
  id: `scaleway-lb-${name.toLowerCase()}`,
  provider: "scaleway",
  product: `Load Balancer ${name}`,
  layer: 7,
  protocols: ["tcp", "http"],
  tls: ["none", "passthrough", "terminate"],
  lacks: boughtFrom("Scaleway", { "client-source-address": clientInHeader }),
  make: (demand, prices) => ({
    lines: [
      paidByTime("Balancer hours", prices.get(`lb-${name.toLowerCase()}`), demand.balancers),
      addresses(prices, "flexible-ipv4", demand.balancers),
    ],
    limits: [
      { of: "mbps", limit: mbps, basis: "published", source },
      { of: "active-connections", limit: connections, basis: "published", source },
    ],
    notes: demand.profile.internetShare > 0 ? ["Data to the internet is included in the bandwidth of the size."] : [],
  }),
}));
