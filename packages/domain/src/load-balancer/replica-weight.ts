/** Of 100 %. Routers compare weights, so only their ratio matters. */
const wholeWeight = 1_000_000;

/** replicaWeight divides a cluster's share, in percent, among its replicas. Those that stand by serve alone, with the whole. */
export function replicaWeight(share: number, replicas: number): number {
  return Math.max(1, Math.round(((share || 100) * wholeWeight) / 100 / Math.max(1, replicas)));
}
