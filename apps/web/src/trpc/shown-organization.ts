/** Names the organisation that a page was read for, with everything that the page asks: as a header, or in the URL of its stream. */
export const shownOrganizationHeader = "x-fairlead-organization";
