import type { Delivery, Engine, Scheduler } from "@fairlead/domain";

/** What carries packets on a replica, and when to ask for it. */
export const engineWords: Record<Engine, { title: string; line: string }> = {
  auto: { title: "Automatic", line: "The best that each host can do: what follows is tried in this order." },
  tcx: { title: "tcx", line: "eBPF on the replica's own interface: fast, and the host changes nothing for it." },
  xdp: { title: "xdp", line: "eBPF in the network driver: the least work per packet, where the host allows it." },
  ipvs: { title: "ipvs", line: "The kernel's own balancer, where its module is there." },
  nftables: { title: "nftables", line: "Rules of the kernel's packet filter; they work without root too." },
  userspace: { title: "userspace", line: "A proxy inside the agent: runs on any kernel, and copies every byte." },
};

export const bestDelivery = { title: "Automatic", line: "The best that the engine has for these ports." };

/** How packets reach an instance, and what that costs. */
export const deliveryWords: Record<Delivery, { title: string; line: string }> = {
  direct: {
    title: "Direct",
    line: "Packets arrive as the client sent them, and the instance answers it straight; both must share a network.",
  },
  tunnel: {
    title: "Tunnel",
    line: "As direct, but wrapped in IPIP for instances on other networks, which must unwrap it.",
  },
  gue: {
    title: "GUE",
    line: "As tunnel, but wrapped in UDP (port 6080), by whose ports routers and network cards on the way spread flows.",
  },
  nat: {
    title: "NAT",
    line: "Addresses are rewritten there and back: ports may differ, instances don't see the client, and connections end with their replica.",
  },
  proxy: {
    title: "Proxy",
    line: "Two connections, one on each side: ports and address families may differ, and connections end with their replica.",
  },
};

export const ownScheduler = { title: "Automatic", line: "mh, so that every replica picks the same instance." };

/** What picks the instance of a connection, by the name that the kernel has for it. */
export const schedulerWords: Record<Scheduler, string> = {
  rr: "Each instance in turn.",
  wrr: "Each instance in turn, as often as its weight says.",
  lc: "The instance with the fewest connections.",
  wlc: "The instance with the fewest connections for its weight.",
  sh: "The same instance for the same client.",
  dh: "The same instance for the same service address.",
  sed: "The instance that would be done first, by its connections and weight.",
  nq: "An idle instance if there is one, else as sed.",
  mh: "Maglev: the same instance for the same client, on every replica, and few move when instances do.",
};

/** Whether instances learn who a proxy speaks for. */
export const clientAddressWords = {
  untold: { title: "Not told", line: "Instances see the replica's address as their client's." },
  "proxy-protocol": {
    title: "PROXY v2",
    line: "The PROXY protocol in front of each TCP connection names the client; instances must expect it.",
  },
} as const;
