/** What agents run as. */
export const agentRoles = ["node", "balancer", "speaker", "reflector", "router"] as const;

/** What agents run as that speak BGP. */
export const bgpRoles: readonly string[] = ["speaker", "reflector", "router"];
