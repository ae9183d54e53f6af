import { z } from "zod";
import { idOf } from "../../id.ts";
import { listInput, manyOf } from "../../page.ts";
import { confidence, priceUnit, provider } from "./price-point.ts";

/** StoredPrice is a price in the catalogue. */
export const storedPrice = z
  .object({
    id: idOf("pricePoint"),
    provider,
    region: z.string(),
    sku: z.string(),
    unit: priceUnit,
    fromUnits: z.number().describe("The price is for usage beyond this per month."),
    micros: z.int().describe("The price of `per` units, in millionths of the currency."),
    per: z.int().describe("The number of units that micros is for."),
    currency: z.string(),
    asOf: z.string().nullable().describe("The date of the price; null if unknown."),
    source: z.string(),
    confidence,
    recordedAt: z.date(),
  })
  .meta({ id: "PricePoint" });
export type StoredPrice = z.infer<typeof storedPrice>;

export const priceSorts = ["provider", "region", "sku", "asOf", "recordedAt"] as const;
export const listPricePoints = listInput(
  priceSorts,
  { provider: manyOf(provider), region: z.string().max(64).optional(), sku: z.string().max(128).optional() },
  { sort: "provider", direction: "asc" },
);
export type ListPricePoints = z.infer<typeof listPricePoints>;
