// Where things are. Each set of nodes has a network of its own, so all have the same addresses.

/** Where nodes find the control plane. */
export const controlPlaneAddress = "10.250.0.1";
/** Outside the cluster: it reaches nodes, and has no route to pods. */
export const clientAddress = "10.250.0.100";
/** What a Service controller gives. */
export const balancerAddresses = { first: "10.250.0.200", last: "10.250.0.220" };

export function nodeAddress(number: number): string {
  return `10.250.0.${10 + number}`;
}

/** The pods of a node. */
export function podNetwork(number: number): string {
  return `10.244.${number}.0/24`;
}

export const allPods = "10.244.0.0/16";
