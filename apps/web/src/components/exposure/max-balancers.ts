/** How many balancers of an exposure are listed at most. The server and the browser must send the same query. */
export const maxBalancers = 200;
