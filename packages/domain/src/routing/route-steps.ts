/** In the order in which an update of a route takes them. */
export const routeSteps = ["ready", "caused", "announced", "reflected", "learned", "routed", "carried"] as const;
export type RouteStep = (typeof routeSteps)[number];
