// The words of prices, apart from the schemas made of them: a page can reckon without bringing a validator to the browser.

/** What a price is for. An hour that was begun is one; a month is 730 hours unless its provider says otherwise. */
export const priceUnits = [
  "hour",
  "month",
  "capacity-unit-hour",
  "GB",
  "GiB",
  "Mbps-hour",
  "million-requests",
] as const;
export type PriceUnit = (typeof priceUnits)[number];

/**
 * How sure a price is: read by a feed of the provider, published by the provider, told by others, written down from memory
 * or without a date, or somebody's own.
 */
export const confidences = ["fed", "published", "reported", "uncertain", "own"] as const;
export type Confidence = (typeof confidences)[number];
