/** The hours that providers bill for a month, unless they define it otherwise. */
export const hoursOfMonth = 730;
