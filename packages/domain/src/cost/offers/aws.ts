import type { TrafficProfile } from "../traffic/traffic-profile.ts";
import type { Dimension } from "./charges.ts";
import { addresses, betweenZones, capacityUnits, data, egress, paidByTime } from "./charges.ts";
import { addressChanges, boughtFrom, clientInHeader } from "./lacks.ts";
import type { Demand, Limit, Offer } from "./offer.ts";

const newConnections = (each: number): Dimension => ({
  name: "new connections",
  use: (load) => load.newPerSecond,
  each,
});
const active = (each: number): Dimension => ({ name: "active connections", use: (load) => load.active, each });
const bytes: Dimension = { name: "data", use: (load) => load.gbPerHour, each: 1 };
const rulesFree = 10;
const rulesOfUnit = 1_000;
const rules: Dimension = {
  name: "rule evaluations",
  use: (load) => load.requestsPerSecond * Math.max(0, load.rulesPerRequest - rulesFree),
  each: rulesOfUnit,
};

const elastic = "https://docs.aws.amazon.com/elasticloadbalancing/latest/userguide/what-is-load-balancing.html";
const unitMbps = 2.2;
const albQuotas = "https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-limits.html";
const nlbQuotas = "https://docs.aws.amazon.com/elasticloadbalancing/latest/network/load-balancer-limits.html";
const nlbScale =
  "https://aws.amazon.com/blogs/aws/new-network-load-balancer-effortless-scaling-to-millions-of-requests-per-second/";

const albHolds = { new: 25, active: 3_000 };
/** The number of units that can be reserved for one balancer, so it carries at least their capacity. */
const albUnits = 15_000;

function albLimits({ rulesPerRequest }: TrafficProfile): Limit[] {
  return [
    reservable("mbps", unitMbps),
    reservable("new-connections", albHolds.new),
    reservable("active-connections", albHolds.active),
    // There is no published limit for requests with few rules: units don't count them.
    ...(rulesPerRequest > rulesFree ? [reservable("requests", rulesOfUnit / (rulesPerRequest - rulesFree))] : []),
  ];
}

function reservable(of: Limit["of"], each: number): Limit {
  return { of, limit: albUnits * each, basis: "published", source: albQuotas };
}

const nlbLimits: Limit[] = [
  { of: "mbps", limit: 45_000 * unitMbps, basis: "published", source: nlbQuotas },
  { of: "new-connections", limit: 1_000_000, basis: "published", source: nlbScale },
  {
    of: "active-connections",
    limit: 10_000_000,
    basis: "assumed",
    source: "not published; sold for millions of connections",
  },
];

/** An ALB can't be created with subnets in fewer zones. */
const albFewestZones = 2;
/** The default quota. */
const albListeners = 50;

const alb: Offer = {
  id: "aws-alb",
  provider: "aws",
  elastic,
  product: "Application Load Balancer",
  layer: 7,
  protocols: ["http"],
  tls: ["none", "terminate"],
  lacks: boughtFrom("AWS", { "client-source-address": clientInHeader, "static-ip": addressChanges }),
  make: (demand, prices) => ({
    lines: [
      paidByTime("Balancer hours", prices.get("alb"), demand.balancers),
      capacityUnits("Capacity units (LCU)", prices.get("alb-lcu"), demand, [
        bytes,
        newConnections(albHolds.new),
        active(albHolds.active),
        rules,
      ]),
      addresses(prices, "public-ipv4", demand.balancers * Math.max(albFewestZones, demand.profile.zones)),
      ...egress(demand, prices),
    ],
    limits: albLimits(demand.profile),
    notes: albNotes(demand),
  }),
};

function albNotes({ profile: { zones, listeners } }: Demand): string[] {
  return [
    ...(zones < albFewestZones ? ["It needs at least two zones, with an address in each."] : []),
    ...(listeners > albListeners
      ? [`More than ${albListeners} listeners need a higher quota, which AWS grants on request.`]
      : []),
  ];
}

/** The capacity of a unit of a Network Load Balancer, by protocol. */
const nlbUnits = {
  tcp: { sku: "nlb-lcu-tcp", new: 800, active: 100_000 },
  udp: { sku: "nlb-lcu-udp", new: 400, active: 50_000 },
  tls: { sku: "nlb-lcu-tls", new: 50, active: 3_000 },
} as const;

const nlb: Offer = {
  id: "aws-nlb",
  provider: "aws",
  elastic,
  product: "Network Load Balancer",
  layer: 4,
  protocols: ["tcp", "udp", "http", "quic"],
  tls: ["none", "passthrough", "terminate"],
  // This quota can't be raised, unlike that of an ALB.
  mostListeners: 50,
  lacks: boughtFrom("AWS"),
  make: (demand, prices) => {
    const { protocol, tls, zones } = demand.profile;
    const isDatagrams = protocol === "udp" || protocol === "quic";
    const unit = nlbUnits[isDatagrams ? "udp" : tls === "terminate" ? "tls" : "tcp"];
    return {
      lines: [
        paidByTime("Balancer hours", prices.get("nlb"), demand.balancers),
        capacityUnits("Capacity units (NLCU)", prices.get(unit.sku), demand, [
          bytes,
          newConnections(unit.new),
          active(unit.active),
        ]),
        addresses(prices, "public-ipv4", demand.balancers * zones),
        ...betweenZones(demand, prices),
        ...egress(demand, prices),
      ],
      limits: nlbLimits,
      notes: [],
    };
  },
};

const gwlb: Offer = {
  id: "aws-gwlb",
  provider: "aws",
  elastic,
  product: "Gateway Load Balancer",
  layer: 4,
  protocols: ["tcp", "udp", "http", "quic"],
  tls: ["none", "passthrough"],
  lacks: boughtFrom("AWS"),
  otherwise: "Clients can't connect to it: it routes traffic through appliances such as firewalls.",
  make: (demand, prices) => ({
    lines: [
      paidByTime("Balancer hours, for each zone", prices.get("gwlb"), demand.balancers * demand.profile.zones),
      capacityUnits("Capacity units (GLCU)", prices.get("gwlb-lcu"), demand, [
        bytes,
        newConnections(600),
        active(60_000),
      ]),
      paidByTime("Endpoints, one for each zone", prices.get("gwlb-endpoint"), demand.balancers * demand.profile.zones),
      data("Data through endpoints", prices.get("gwlb-endpoint-data"), demand, (each) => each.gbPerHour),
      ...egress(demand, prices),
    ],
    limits: [],
    notes: ["The price excludes the appliances behind it."],
  }),
};

const clb: Offer = {
  id: "aws-clb",
  provider: "aws",
  elastic,
  product: "Classic Load Balancer",
  layer: 7,
  protocols: ["tcp", "http"],
  tls: ["none", "passthrough", "terminate"],
  lacks: boughtFrom("AWS", { "client-source-address": clientInHeader, "static-ip": addressChanges }),
  make: (demand, prices) => ({
    lines: [
      paidByTime("Balancer hours", prices.get("clb"), demand.balancers),
      data("Data", prices.get("clb-data"), demand, (each) => each.gbPerHour),
      addresses(prices, "public-ipv4", demand.balancers * demand.profile.zones),
      ...egress(demand, prices),
    ],
    limits: [],
    notes: ["It is of the previous generation."],
  }),
};

export const awsOffers: Offer[] = [alb, nlb, gwlb, clb];
