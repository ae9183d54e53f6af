// The addresses in a test network. Each set of nodes has its own network, so all use the same addresses.

/** The control plane's address for nodes. */
export const controlPlaneAddress = "10.250.0.1";
/** The client is outside the cluster: it reaches nodes, and has no route to pods. */
export const clientAddress = "10.250.0.100";
/** The addresses that a Service controller assigns. */
export const balancerAddresses = { first: "10.250.0.200", last: "10.250.0.220" };

export function nodeAddress(number: number): string {
  return `10.250.0.${10 + number}`;
}

/** The network of a node's pods. */
export function podNetwork(number: number): string {
  return `10.244.${number}.0/24`;
}

export const allPods = "10.244.0.0/16";
