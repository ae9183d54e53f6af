import type { AgreedPrice, NegotiatedPrice } from "@fairlead/domain";

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

/** alreadyAgreed is what is said where there is one of the same thing and day. */
export function alreadyAgreed({ sku, region }: Pick<NegotiatedPrice, "sku" | "region">, validFrom: string): string {
  return `There is already a price of ${sku} in ${region} from ${validFrom} on: change that, or take another day.`;
}

/** changeOf is what the audit keeps. */
export function changeOf({ provider, region, sku, price, validFrom, note }: NegotiatedPrice) {
  return { provider, region, sku, price, validFrom, note };
}
