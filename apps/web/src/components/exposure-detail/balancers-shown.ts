/** More balancers of one exposure than this are read in their list. Server and browser must ask the same question. */
export const balancersShown = 200;
