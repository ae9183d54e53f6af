import type { PodRights } from "../load-balancer/pod-rights.ts";

type DeliveryFacts = {
  title: string;
  summary: string;
  /** Whether packets reach a backend at the port that the client used. */
  keepsPort: boolean;
};

/** How packets reach an instance, and what that costs. */
export const deliveries = {
  direct: {
    title: "Direct",
    summary: "The instance gets the client's packets and replies directly (DSR). Both must be in the same network.",
    keepsPort: true,
  },
  tunnel: {
    title: "Tunnel",
    summary: "As direct, but encapsulated in IPIP for instances in other networks, which must decapsulate it.",
    keepsPort: true,
  },
  gue: {
    title: "GUE",
    summary:
      "As tunnel, but encapsulated in UDP (port 6080), so that routers and network cards can spread flows by port.",
    keepsPort: true,
  },
  nat: {
    title: "NAT",
    summary:
      "Addresses are rewritten in both directions. Ports can differ, instances don't see the client, and connections end with their replica.",
    keepsPort: false,
  },
  proxy: {
    title: "Proxy",
    summary:
      "Two connections, one on each side. Ports and address families can differ, and connections end with their replica.",
    keepsPort: false,
  },
} as const satisfies Record<string, DeliveryFacts>;

export type Delivery = keyof typeof deliveries;
export const deliveryNames = Object.keys(deliveries) as [Delivery, ...Delivery[]];

/** Schedulers, which pick the instance of a connection, by their kernel names. */
export const schedulers = {
  rr: { summary: "Round robin." },
  wrr: { summary: "Weighted round robin." },
  lc: { summary: "The instance with the fewest connections." },
  wlc: { summary: "The instance with the fewest connections for its weight." },
  sh: { summary: "The same instance for the same client." },
  dh: { summary: "The same instance for the same service address." },
  sed: { summary: "The instance with the shortest expected delay, by connections and weight." },
  nq: { summary: "An idle instance if there is one, else as sed." },
  mh: {
    summary:
      "Maglev: the same instance for the same client, on every replica. Few connections move when instances change.",
  },
} as const satisfies Record<string, { summary: string }>;

export type Scheduler = keyof typeof schedulers;
export const schedulerNames = Object.keys(schedulers) as [Scheduler, ...Scheduler[]];

type EngineFacts = {
  title: string;
  summary: string;
  deliveries: readonly [Delivery, ...Delivery[]];
  /** Empty where the engine always picks instances by its own Maglev table. */
  schedulers: readonly Scheduler[];
  /** How packets reach a Kubernetes pod if no delivery is set; null: the engine chooses. */
  toPods: Delivery | null;
  /** What a balancer's pod needs to run it; null where no pod is known to be enough. */
  podRights: PodRights | null;
};

/**
 * What carries packets on a replica, in the order in which agents try them. Deliveries and schedulers are those of
 * agents/internal/balancer/testdata, which the agents are tested against too.
 */
export const engines = {
  tcx: {
    title: "tcx",
    summary: "eBPF on the replica's own interface. Fast, and needs no change of the host.",
    deliveries: ["direct", "tunnel", "gue", "nat"],
    schedulers: [],
    toPods: "nat",
    podRights: "ebpf",
  },
  xdp: {
    title: "xdp",
    summary: "eBPF in the network driver. The least work per packet, if the host supports it.",
    deliveries: ["direct", "tunnel", "gue"],
    schedulers: [],
    toPods: null,
    podRights: "ebpf",
  },
  ipvs: {
    title: "ipvs",
    summary: "The kernel's own balancer, if its module is available.",
    deliveries: ["direct", "tunnel", "nat"],
    schedulers: schedulerNames,
    toPods: "nat",
    podRights: null,
  },
  nftables: {
    title: "nftables",
    summary: "Rules of the kernel's packet filter. They work without root.",
    deliveries: ["direct", "nat"],
    schedulers: [],
    toPods: "nat",
    podRights: "net-admin",
  },
  userspace: {
    title: "userspace",
    summary: "A proxy inside the agent. Runs on any kernel, but copies every byte.",
    deliveries: ["proxy"],
    schedulers: [],
    toPods: "proxy",
    podRights: "net-admin",
  },
} as const satisfies Record<string, EngineFacts>;

/** An engine that carries packets, so not auto. */
export type PacketEngine = keyof typeof engines;
export const packetEngines = Object.keys(engines) as PacketEngine[];

/** Any engine will do. */
export const anyEngine = "auto";

/** The values of the field engine in a spec. */
export type Engine = PacketEngine | typeof anyEngine;
export const engineNames = [anyEngine, ...packetEngines] as const;

export function deliveriesOf(engine: PacketEngine): readonly Delivery[] {
  return engines[engine].deliveries;
}

export function schedulersOf(engine: Engine): readonly Scheduler[] {
  return engine === anyEngine ? [] : engines[engine].schedulers;
}

/** enginesWith returns the engines for which a pod needs just these rights. */
export function enginesWith(rights: PodRights): PacketEngine[] {
  return packetEngines.filter((engine) => engines[engine].podRights === rights);
}
