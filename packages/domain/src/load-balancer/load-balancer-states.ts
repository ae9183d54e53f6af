export const loadBalancerPhases = ["pending", "serving", "degraded", "failed", "deleting"] as const;
export const loadBalancerKinds = ["fairlead", "cloud"] as const;
export const backendStates = ["active", "draining", "filling", "inactive"] as const;
export const backendHealths = ["up", "down", "unknown"] as const;
export const ticketKinds = ["unknown", "stable", "random", "none", "failed"] as const;
