import { z } from "zod";
import { idOf } from "../../id.ts";
import { listInput, manyOf } from "../../page.ts";
import { confidence, priceUnit, provider } from "./price-point.ts";

/** StoredPrice is one that was taken into the catalogue. */
export const storedPrice = z
  .object({
    id: idOf("pricePoint"),
    provider,
    region: z.string(),
    sku: z.string(),
    unit: priceUnit,
    fromUnits: z.number().describe("The price is for what is used beyond so much in a month."),
    micros: z.int().describe("So many millionths of the currency ..."),
    per: z.int().describe("... for so many units."),
    currency: z.string(),
    asOf: z.string().nullable().describe("The day of which it was the price; null where nobody says."),
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
