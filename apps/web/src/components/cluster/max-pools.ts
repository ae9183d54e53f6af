/** How many pools the cluster page reads: more than any cluster has. */
export const maxPools = 200;
