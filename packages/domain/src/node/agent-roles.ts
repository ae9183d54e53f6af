/** The roles of agents that a token can name. */
export const agentRoles = ["node", "balancer", "speaker", "reflector", "router", "backend", "adaptive"] as const;

/** Those that an agent may run as. A lab reports the instances of its cluster. */
export const allowableRoles = [...agentRoles, "lab"] as const;

/** The roles of agents with BGP sessions. */
export const bgpRoles: readonly string[] = ["speaker", "reflector", "router"];
