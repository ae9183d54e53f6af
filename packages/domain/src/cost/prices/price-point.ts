import { z } from "zod";
import { type Confidence, confidences, type PriceUnit, priceUnits } from "./price-words.ts";
import { type Provider, providerNames } from "./providers.ts";

export const provider = z.enum(providerNames).meta({ id: "Provider" });

export const priceUnit = z.enum(priceUnits).meta({ id: "PriceUnit" });

export const confidence = z.enum(confidences).meta({ id: "Confidence" });

/** PricePoint is a price at a time, with its source. */
export type PricePoint = {
  provider: Provider;
  /** The provider's name of the region; "any" if the price is the same everywhere. */
  region: string;
  sku: string;
  unit: PriceUnit;
  /** The price is for usage beyond this per month, up to fromUnits of the next point. */
  fromUnits: number;
  micros: number;
  per: number;
  currency: string;
  /** The date of the price, such as 2026-09-20; null if unknown. */
  asOf: string | null;
  source: string;
  confidence: Confidence;
};
