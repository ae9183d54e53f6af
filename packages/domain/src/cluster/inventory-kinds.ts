/** Kinds of the objects that a Kubernetes cluster's inventory lists. A service is one that Fairlead did not create, reachable from outside. */
export const inventoryKinds = ["node", "stateful-set", "deployment", "daemon-set", "service"] as const;
