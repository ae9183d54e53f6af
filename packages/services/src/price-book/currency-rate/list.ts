import type { Page } from "@fairlead/domain";
import type { ListCurrencyRates, StoredRate } from "@fairlead/domain/cost";
import type { ServiceContext } from "../../context.ts";
import { contains } from "../../control/filter.sql.ts";
import { listWithin } from "../../control/list-within.ts";
import { currencyRateSource } from "./rows.ts";

const casts = { from: "text", to: "text", asOf: "text", createdAt: "timestamptz" } as const;

export async function listCurrencyRates(ctx: ServiceContext, input: ListCurrencyRates): Promise<Page<StoredRate>> {
  return listWithin<StoredRate>(ctx, "price-book:read", input, {
    ...currencyRateSource,
    sort: { cast: casts[input.sort] },
    where: [contains(["from", "to", "source"], input.search)],
  });
}
