import { Prisma, selectPage } from "@fairlead/db";
import type { ListCurrencyRates, Page, StoredRate } from "@fairlead/domain";
import { authorize, type ServiceContext } from "../../context.ts";
import { contains } from "../../control/filter.sql.ts";
import { currencyRateSource } from "./rows.ts";

const casts = { from: "text", to: "text", asOf: "text", createdAt: "timestamptz" } as const;

export async function listCurrencyRates(ctx: ServiceContext, input: ListCurrencyRates): Promise<Page<StoredRate>> {
  authorize(ctx, "price-book:read");
  return selectPage<StoredRate>(ctx.db, {
    ...currencyRateSource,
    sort: { column: input.sort, cast: casts[input.sort] },
    direction: input.direction,
    where: [Prisma.sql`"organizationId" = ${ctx.organizationId}`, contains(["from", "to", "source"], input.search)],
    page: input,
  });
}
