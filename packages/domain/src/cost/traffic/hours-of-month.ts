/** What providers bill a month as, unless they say otherwise. */
export const hoursOfMonth = 730;
