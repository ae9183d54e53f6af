import { z } from "zod";
import { type Confidence, confidences, type PriceUnit, priceUnits } from "./price-words.ts";
import { type Provider, providerNames } from "./providers.ts";

export const provider = z.enum(providerNames).meta({ id: "Provider" });

export const priceUnit = z.enum(priceUnits).meta({ id: "PriceUnit" });

export const confidence = z.enum(confidences).meta({ id: "Confidence" });

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
