export const loadBalancerPhases = ["pending", "serving", "degraded", "failed", "deleting"] as const;
export const loadBalancerKinds = ["fairlead", "cloud"] as const;

/** What the agent of a replica does for it: carry packets of clients, or distribute the connections of its node. */
export const replicaRoles = ["balancer", "adaptive"] as const;
export type ReplicaRole = (typeof replicaRoles)[number];

export const backendStates = ["active", "draining", "filling", "inactive"] as const;
export const backendHealths = ["up", "down", "unknown"] as const;
export const ticketKinds = ["unknown", "stable", "random", "none", "failed"] as const;
