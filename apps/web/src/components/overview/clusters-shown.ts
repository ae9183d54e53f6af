/** How many clusters the overview lists; server and browser must ask the same question. */
export const clustersShown = 8;
