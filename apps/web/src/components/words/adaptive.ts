/** Which clients reach the address. */
export const reachWords = {
  inside: { title: "Inside", summary: "Only nodes with an agent of the role adaptive reach the address." },
  outside: {
    title: "Also outside",
    summary: "Balancers announce the address by BGP, and place connections by the same costs.",
  },
} as const;

/** How packets reach backends, if that is left to the control plane. */
export const costDelivery = {
  title: "Best",
  summary: "NAT in Kubernetes, otherwise the best that is possible.",
} as const;

/** What becomes of connections to an instance that was removed, after its drain time. */
export const removedInstanceWords = {
  last: { title: "Last", summary: "They last until a side closes them." },
  end: {
    title: "End",
    summary:
      "The agent at the client's node ends them after the drain time, so that clients connect to another instance.",
  },
} as const;
