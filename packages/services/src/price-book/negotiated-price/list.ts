import { Prisma, selectPage } from "@fairlead/db";
import type { ListNegotiatedPrices, NegotiatedPrice, Page } from "@fairlead/domain";
import { authorize, type ServiceContext } from "../../context.ts";
import { contains, isOneOf } from "../../control/filter.sql.ts";
import { negotiatedPriceSource } from "./rows.ts";

const casts = { provider: "text", region: "text", sku: "text", validFrom: "text", createdAt: "timestamptz" } as const;

export async function listNegotiatedPrices(
  ctx: ServiceContext,
  input: ListNegotiatedPrices,
): Promise<Page<NegotiatedPrice>> {
  authorize(ctx, "price-book:read");
  return selectPage<NegotiatedPrice>(ctx.db, {
    ...negotiatedPriceSource,
    sort: { column: input.sort, cast: casts[input.sort] },
    direction: input.direction,
    where: [
      Prisma.sql`"organizationId" = ${ctx.organizationId}`,
      contains(["sku", "region", "note"], input.search),
      isOneOf("provider", input.provider),
    ],
    page: input,
  });
}
