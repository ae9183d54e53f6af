/** Operations that the product refuses in the state of the test, with the status of the problem that clients must read. */
export const refused: Readonly<Record<string, number>> = {
  // The cluster has no routing.
  "cluster.writeRouterConfig": 422,
  "experiment.start": 409,
  // The exposure is in this cluster already.
  "move.preview": 422,
  "move.start": 422,
  // The created cluster is no Kubernetes cluster.
  "cluster.createBalancerManifest": 409,
  // The created exposure has no managed ticket keys.
  "exposure.rotateTicketKeys": 409,
  // The created exposure doesn't have the strategy adaptive.
  "exposure.whatIf": 409,
  // No price waits for review, because the price list can't be fetched.
  "priceRefresh.accept": 409,
  "priceRefresh.reject": 409,
  // The map has no such instance.
  "addressMap.try": 422,
};
