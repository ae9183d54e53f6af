import type { AgreedPrice, CreateNegotiatedPrice, NegotiatedPrice } from "@fairlead/domain";
import { loadOne } from "../../control/load-one.ts";
import type { EntryKind } from "../entries.ts";

export const negotiatedPriceSource = {
  from: "negotiated_price_view",
  columns: [
    "id",
    "provider",
    "region",
    "sku",
    "unit",
    "price",
    "validFrom",
    "note",
    "createdAt",
    "updatedAt",
  ] as const satisfies readonly (keyof NegotiatedPrice)[],
};

/** columnsOf stores what was agreed: an amount or a discount, the other is empty. */
export function columnsOf(price: AgreedPrice) {
  return price.kind === "amount"
    ? { micros: price.micros, per: price.per, currency: price.currency, discountPercent: null }
    : { micros: null, per: null, currency: null, discountPercent: price.percent };
}

export const negotiatedPriceKind: EntryKind<NegotiatedPrice, CreateNegotiatedPrice> = {
  table: "negotiated_price",
  subjectKind: "negotiated-price",
  load: (tx, organizationId, id) => loadOne(tx, "negotiated price", negotiatedPriceSource, organizationId, id),
  changeOf: ({ provider, region, sku, price, validFrom, note }) => ({ provider, region, sku, price, validFrom, note }),
  nameOf: ({ sku }) => sku,
  twice: {
    field: "validFrom",
    message: ({ sku, region, validFrom }) =>
      `There is already a price of ${sku} in ${region} from ${validFrom} on: change that, or take another day.`,
  },
};
