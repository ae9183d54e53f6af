/** What a kernel feature is called among people, and what needs it. */
export type FeatureUse = { title: string; use: string };

const uses: Record<string, FeatureUse> = {
  bpf: { title: "eBPF", use: "The balancer's fast packet paths, and measuring them." },
  ipvs: { title: "IPVS", use: "The balancer's ipvs engine." },
  "network-namespaces": { title: "Network namespaces", use: "The lab, and balancers that keep to themselves." },
  nftables: { title: "nftables", use: "The balancer's nftables engine." },
  "resilient-next-hops": {
    title: "Resilient next hops",
    use: "The router: flows stay where they are when a balancer comes or goes.",
  },
  tcx: { title: "TCX", use: "The balancer's tcx engine, the fastest that works inside a pod." },
  xdp: { title: "XDP", use: "The balancer's xdp engine, the fastest on a bare machine." },
};

/** featureUse explains a feature. One that a newer agent knows and we don't keeps its own name. */
export function featureUse(name: string): FeatureUse {
  return uses[name] ?? { title: name, use: "Unknown to this version of the dashboard." };
}
