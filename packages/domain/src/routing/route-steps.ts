/** The steps of a route update, in order. */
export const routeSteps = ["ready", "caused", "announced", "reflected", "learned", "routed", "carried"] as const;
export type RouteStep = (typeof routeSteps)[number];
