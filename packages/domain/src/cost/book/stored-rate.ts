import { z } from "zod";
import { idOf } from "../../id.ts";
import { listInput } from "../../page.ts";
import { plainText } from "../../plain-text.ts";
import { currencyRate } from "../prices/currency-rate.ts";

const fields = { ...currencyRate.shape, source: plainText(200).describe("The source of the rate.") };

const differ = { path: ["to"], message: "enter two different currencies" };
const areTwo = ({ from, to }: { from?: string | undefined; to?: string | undefined }) =>
  from === undefined || from !== to;

export const createCurrencyRate = z
  .strictObject({ ...fields, source: fields.source.default("") })
  .refine(areTwo, differ)
  .meta({ id: "CreateCurrencyRate" });
export type CreateCurrencyRate = z.infer<typeof createCurrencyRate>;

/** The currencies can't change: another pair is another rate. */
export const updateCurrencyRate = z
  .strictObject({ rate: fields.rate, asOf: fields.asOf, source: fields.source })
  .partial()
  .meta({ id: "UpdateCurrencyRate" });
export type UpdateCurrencyRate = z.infer<typeof updateCurrencyRate>;

/** StoredRate is an organisation's exchange rate, from a day on. */
export const storedRate = z
  .object({
    id: idOf("currencyRate"),
    ...fields,
    rate: z.number().positive(),
    createdAt: z.date(),
    updatedAt: z.date(),
  })
  .meta({ id: "CurrencyRate" });
export type StoredRate = z.infer<typeof storedRate>;

export const listCurrencyRates = listInput(["from", "to", "asOf", "createdAt"], {}, { sort: "from", direction: "asc" });
export type ListCurrencyRates = z.infer<typeof listCurrencyRates>;
