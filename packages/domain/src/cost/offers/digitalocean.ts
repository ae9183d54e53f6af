import { shareOf } from "../traffic/load.ts";
import { egress, paidByTime } from "./charges.ts";
import { boughtFrom, clientInHeader } from "./lacks.ts";
import type { Demand, Limit, Offer } from "./offer.ts";

const source = "https://docs.digitalocean.com/products/networking/load-balancers/how-to/scale";
/** The capacity of a node. */
const node = { requests: 10_000, active: 10_000, handshakes: 250 };
const mostNodes = 200;

/**
 * nodesOf is the number of nodes that the peak needs, up to the limit. The number is fixed in advance and doesn't scale by the
 * hour.
 */
function nodesOf({ profile, peak, balancers }: Demand): number {
  const each = balancers === 1 ? peak : shareOf(peak, balancers);
  const handshakes = profile.tls === "terminate" ? each.newPerSecond : 0;
  const most = Math.max(
    each.requestsPerSecond / node.requests,
    each.active / node.active,
    handshakes / node.handshakes,
  );
  return Math.min(mostNodes, Math.max(1, Math.ceil(most)));
}

const regional: Offer = {
  id: "digitalocean-regional-lb",
  provider: "digitalocean",
  product: "Regional Load Balancer",
  layer: 7,
  protocols: ["tcp", "udp", "http", "quic"],
  tls: ["none", "passthrough", "terminate"],
  lacks: boughtFrom("DigitalOcean", { "client-source-address": clientInHeader }),
  make: (demand, prices) => {
    const nodes = nodesOf(demand);
    const limit = (of: Limit["of"], each: number): Limit => ({ of, limit: nodes * each, basis: "published", source });
    return {
      lines: [
        paidByTime("Nodes", prices.get("regional-lb-node"), nodes * demand.balancers, "nodes"),
        ...egress(demand, prices),
      ],
      limits: [
        limit("requests", node.requests),
        limit("active-connections", node.active),
        ...(demand.profile.tls === "terminate" ? [limit("new-connections", node.handshakes)] : []),
      ],
      notes: [noteOf(nodes)],
    };
  },
};

function noteOf(nodes: number): string {
  if (nodes === mostNodes) return `A balancer has ${nodes} nodes at most.`;
  return `${nodes} ${nodes === 1 ? "node carries" : "nodes carry"} the peak of each balancer.`;
}

const network: Offer = {
  id: "digitalocean-network-lb",
  provider: "digitalocean",
  product: "Network Load Balancer",
  layer: 4,
  protocols: ["tcp", "udp", "http", "quic"],
  tls: ["none", "passthrough"],
  lacks: boughtFrom("DigitalOcean"),
  make: (demand, prices) => ({
    lines: [paidByTime("Balancers", prices.get("network-lb"), demand.balancers), ...egress(demand, prices)],
    limits: [],
    notes: [],
  }),
};

export const digitaloceanOffers: Offer[] = [regional, network];
