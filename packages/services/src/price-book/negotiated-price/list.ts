import type { Page } from "@fairlead/domain";
import type { ListNegotiatedPrices, NegotiatedPrice } from "@fairlead/domain/cost";
import type { ServiceContext } from "../../context.ts";
import { contains, isOneOf } from "../../control/filter.sql.ts";
import { listWithin } from "../../control/list-within.ts";
import { negotiatedPriceSource } from "./rows.ts";

const casts = { provider: "text", region: "text", sku: "text", validFrom: "text", createdAt: "timestamptz" } as const;

export async function listNegotiatedPrices(
  ctx: ServiceContext,
  input: ListNegotiatedPrices,
): Promise<Page<NegotiatedPrice>> {
  return listWithin<NegotiatedPrice>(ctx, "price-book:read", input, {
    ...negotiatedPriceSource,
    sort: { cast: casts[input.sort] },
    where: [contains(["sku", "region", "note"], input.search), isOneOf("provider", input.provider)],
  });
}
