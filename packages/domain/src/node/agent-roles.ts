/** The roles of agents. */
export const agentRoles = ["node", "balancer", "speaker", "reflector", "router"] as const;

/** The roles of agents with BGP sessions. */
export const bgpRoles: readonly string[] = ["speaker", "reflector", "router"];
