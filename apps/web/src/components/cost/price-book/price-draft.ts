import type { NegotiatedPrice, Provider } from "@fairlead/domain/cost";
import { amountText, numberIn, unitPriceIn } from "./draft-values.ts";

/** As typed. */
export type PriceDraft = {
  provider: Provider;
  region: string;
  sku: string;
  kind: "amount" | "discount";
  percent: string;
  amount: string;
  currency: string;
  validFrom: string;
  note: string;
};

export const priceFields = [
  "provider",
  "region",
  "sku",
  "price.percent",
  "price.micros",
  "price.currency",
  "validFrom",
  "note",
] as const;

const empty: PriceDraft = {
  ...{ provider: "aws", region: "any", sku: "", kind: "discount", percent: "", amount: "", currency: "USD" },
  ...{ validFrom: "", note: "" },
};

export function priceDraft(price: NegotiatedPrice | null, today: string): PriceDraft {
  if (!price) return { ...empty, validFrom: today };
  const { provider, region, sku, validFrom, note, price: agreed } = price;
  const thing = { ...empty, provider, region, sku, validFrom, note, kind: agreed.kind };
  if (agreed.kind === "discount") return { ...thing, percent: String(agreed.percent) };
  return { ...thing, amount: amountText(agreed.micros, agreed.per), currency: agreed.currency };
}

/** priceSpec returns the spec of a draft. The schema reports invalid values. */
export function priceSpec({ provider, region, sku, validFrom, note, ...draft }: PriceDraft) {
  const amount = {
    kind: "amount",
    currency: draft.currency.trim(),
    ...(unitPriceIn(draft.amount) ?? { micros: Number.NaN }),
  };
  const discount = { kind: "discount", percent: numberIn(draft.percent) };
  return { provider, region, sku, validFrom, note, price: draft.kind === "amount" ? amount : discount };
}
