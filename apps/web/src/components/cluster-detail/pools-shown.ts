/** How many pools a cluster's page reads: all that anybody has. */
export const poolsShown = 200;
