// The words of prices, apart from the schemas made of them: a page can reckon without bringing a validator to the browser.

export const providers = [
  "aws",
  "gcp",
  "azure",
  "oracle",
  "hetzner",
  "digitalocean",
  "linode",
  "scaleway",
  "ovh",
  "alibaba",
  "bunny",
  "own",
] as const;
export type Provider = (typeof providers)[number];

export const providerNames: Record<Provider, string> = {
  aws: "AWS",
  gcp: "Google Cloud",
  azure: "Azure",
  oracle: "Oracle Cloud",
  hetzner: "Hetzner",
  digitalocean: "DigitalOcean",
  linode: "Linode",
  scaleway: "Scaleway",
  ovh: "OVHcloud",
  alibaba: "Alibaba Cloud",
  bunny: "bunny.net",
  own: "your own",
};

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
