import { viewSource } from "@fairlead/db";
import {
  type AgreedPrice,
  type CreateNegotiatedPrice,
  type NegotiatedPrice,
  negotiatedPrice,
} from "@fairlead/domain/cost";
import { loadOne } from "../../control/load-one.ts";
import type { EntryKind } from "../entries.ts";

export const negotiatedPriceSource = viewSource("negotiated_price_view", negotiatedPrice);

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
