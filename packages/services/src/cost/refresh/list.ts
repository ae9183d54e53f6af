import { Prisma, selectPage } from "@fairlead/db";
import type { Page } from "@fairlead/domain";
import type { ListPriceRefreshes, PriceRefresh } from "@fairlead/domain/cost";
import type { ServiceContext } from "../../context.ts";
import { contains, isOneOf } from "../../control/filter.sql.ts";
import { authorizePrices } from "./authorize.ts";
import { refreshSource } from "./rows.ts";

/** listPriceRefreshes returns when feeds were read, who requested it, and the result. */
export async function listPriceRefreshes(ctx: ServiceContext, input: ListPriceRefreshes): Promise<Page<PriceRefresh>> {
  await authorizePrices(ctx, "price:read");
  return selectPage<PriceRefresh>(ctx.db, {
    ...refreshSource,
    sort: { column: input.sort, cast: "timestamptz" },
    direction: input.direction,
    where: [
      Prisma.sql`true`,
      isOneOf("feed", input.feed),
      isOneOf("state", input.state),
      contains(["feed", "requestedBy"], input.search),
    ],
    page: input,
  });
}
