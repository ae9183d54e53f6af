import { z } from "zod";

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
export const provider = z.enum(providers).meta({ id: "Provider" });
export type Provider = z.infer<typeof provider>;
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
export const priceUnit = z.enum(priceUnits).meta({ id: "PriceUnit" });
export type PriceUnit = z.infer<typeof priceUnit>;

/**
 * How sure a price is: read by a feed of the provider, published by the provider, told by others, written down from memory
 * or without a date, or somebody's own.
 */
export const confidences = ["fed", "published", "reported", "uncertain", "own"] as const;
export const confidence = z.enum(confidences).meta({ id: "Confidence" });
export type Confidence = z.infer<typeof confidence>;

/** PricePoint is the price of one thing at a time, and where that was read. */
export type PricePoint = {
  provider: Provider;
  /** As its provider names it; "any" where the price is the same everywhere. */
  region: string;
  sku: string;
  unit: PriceUnit;
  /** The price is for what is used beyond so much in a month, up to where the next point of the same thing begins. */
  fromUnits: number;
  micros: number;
  per: number;
  currency: string;
  /** The day of which it was the price, such as 2026-09-20; null where nobody says. */
  asOf: string | null;
  source: string;
  confidence: Confidence;
};
