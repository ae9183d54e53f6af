// Names of prices, separate from the schemas, so that pages can calculate without loading zod.

/** Units of prices. A started hour counts in full; a month is 730 hours unless the provider defines it otherwise. */
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
 * How reliable a price is: fed: from the provider's feed; published: by the provider; reported: by others; uncertain: without
 * a source or a date; own: of the organisation.
 */
export const confidences = ["fed", "published", "reported", "uncertain", "own"] as const;
export type Confidence = (typeof confidences)[number];
