/** Of 100 %. Routers compare weights, so only their ratio matters. */
const wholeWeight = 1_000_000;

/** replicaWeight divides a cluster's share, in percent, among its replicas. */
export function replicaWeight(share: number, replicas: number): number {
  return Math.max(1, Math.round((share * wholeWeight) / 100 / Math.max(1, replicas)));
}
