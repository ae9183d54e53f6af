import { Prisma, selectPage } from "@fairlead/db";
import type { Page } from "@fairlead/domain";
import type { ListPricePoints, StoredPrice } from "@fairlead/domain/cost";
import { contains, equals, isOneOf } from "../control/filter.sql.ts";
import type { OpenContext } from "./open-context.ts";
import { pricePointSource } from "./rows.ts";

const sorts = {
  provider: { cast: "text" },
  region: { cast: "text" },
  sku: { cast: "text" },
  asOf: { cast: "text", nullable: true },
  recordedAt: { cast: "timestamptz" },
} as const;

/** listPricePoints returns every current and past price, to any client: they are public at their sources. */
export async function listPricePoints(ctx: OpenContext, input: ListPricePoints): Promise<Page<StoredPrice>> {
  return selectPage<StoredPrice>(ctx.db, {
    ...pricePointSource,
    sort: { column: input.sort, ...sorts[input.sort] },
    direction: input.direction,
    where: [
      Prisma.sql`true`,
      contains(["sku", "region", "source"], input.search),
      isOneOf("provider", input.provider),
      equals("region", input.region),
      equals("sku", input.sku),
    ],
    page: input,
  });
}
