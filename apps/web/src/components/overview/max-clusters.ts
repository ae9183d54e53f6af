/** How many clusters the overview lists. The server and the browser must send the same query. */
export const maxClusters = 8;
