/** Display names of kernel features, and what uses them. */
export type FeatureUse = { title: string; use: string };

const uses: Record<string, FeatureUse> = {
  bpf: { title: "eBPF", use: "The balancer's fast packet paths and their metrics." },
  ipvs: { title: "IPVS", use: "The balancer's ipvs engine." },
  "network-namespaces": { title: "Network namespaces", use: "The lab, and isolated balancers." },
  nftables: { title: "nftables", use: "The balancer's nftables engine." },
  pressure: { title: "Pressure (PSI)", use: "The node: how long processes wait for CPUs, memory and disks." },
  "resilient-next-hops": {
    title: "Resilient next hops",
    use: "The router: flows keep their path when balancers are added or removed.",
  },
  tcx: {
    title: "TCX",
    use: "The balancer's tcx engine, the fastest that works inside a pod. Without TCX, it attaches with clsact.",
  },
  xdp: { title: "XDP", use: "The balancer's xdp engine, the fastest on a bare machine." },
};

/** featureUse explains a feature. A feature from a newer agent keeps its own name. */
export function featureUse(name: string): FeatureUse {
  return uses[name] ?? { title: name, use: "Unknown to this version of the dashboard." };
}
