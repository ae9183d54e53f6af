/**
 * The organisation that a page was rendered for. Every request of the page sends it, as a header or in the URL of its
 * stream.
 */
export const shownOrganizationHeader = "x-fairlead-organization";
