import { z } from "zod";
import { idOf } from "../../id.ts";
import { listInput, manyOf } from "../../page.ts";
import { plainText } from "../../plain-text.ts";
import { bookDay } from "../prices/book-day.ts";
import { currencyCode } from "../prices/currency-code.ts";
import { priceUnit, provider } from "../prices/price-point.ts";

/** A negotiated price: an amount instead of the list price, or a discount in per cent. */
export const agreedPrice = z
  .discriminatedUnion("kind", [
    z
      .strictObject({
        kind: z.literal("amount"),
        micros: z
          .int("enter a price such as 0.008")
          .min(0, "enter 0 or more")
          .max(1e15, "enter at most 1000000000")
          .describe("The price of `per` units, in millionths of the currency."),
        per: z.int().min(1).max(1_000_000).default(1).describe("The number of units that micros is for."),
        currency: currencyCode,
      })
      .meta({ id: "AgreedAmount" }),
    z
      .strictObject({
        kind: z.literal("discount"),
        percent: z
          .number("enter a percentage")
          .gt(0, "enter more than 0 %")
          .max(100, "enter at most 100 %")
          .refine(
            (percent) => Math.abs(percent * 100 - Math.round(percent * 100)) < 1e-6,
            "two decimal places at most",
          ),
      })
      .meta({ id: "AgreedDiscount" }),
  ])
  .meta({ id: "AgreedPrice" });
export type AgreedPrice = z.infer<typeof agreedPrice>;

const change = {
  price: agreedPrice,
  validFrom: bookDay.describe(
    "The first day on which it applies. An entry for the same SKU with a later day replaces it from then on.",
  ),
  note: plainText(200).describe("A note, such as the contract number."),
};
const thing = {
  provider,
  region: z
    .string("enter a region, or any")
    .min(1, "enter a region, or any")
    .max(64)
    .describe('"any" for all regions.'),
  sku: z.string().min(1, "enter the item's SKU").max(128).describe("A SKU from GET /cost/price-points."),
};

export const createNegotiatedPrice = z
  .strictObject({ ...thing, ...change, note: change.note.default("") })
  .meta({ id: "CreateNegotiatedPrice" });
export type CreateNegotiatedPrice = z.infer<typeof createNegotiatedPrice>;

export const updateNegotiatedPrice = z.strictObject(change).partial().meta({ id: "UpdateNegotiatedPrice" });
export type UpdateNegotiatedPrice = z.infer<typeof updateNegotiatedPrice>;

/** NegotiatedPrice is what an organisation pays instead of the list price. */
export const negotiatedPrice = z
  .object({
    id: idOf("negotiatedPrice"),
    ...thing,
    unit: priceUnit,
    ...change,
    createdAt: z.date(),
    updatedAt: z.date(),
  })
  .meta({ id: "NegotiatedPrice" });
export type NegotiatedPrice = z.infer<typeof negotiatedPrice>;

export const listNegotiatedPrices = listInput(
  ["provider", "region", "sku", "validFrom", "createdAt"],
  { provider: manyOf(provider) },
  { sort: "provider", direction: "asc" },
);
export type ListNegotiatedPrices = z.infer<typeof listNegotiatedPrices>;
