import { Prisma, selectPage } from "@fairlead/db";
import type { ApiKey, ListApiKeys, Page } from "@fairlead/domain";
import { authorize, type ServiceContext } from "../../context.ts";
import { contains, isOneOf } from "../../control/filter.sql.ts";
import { apiKeySource } from "./rows.ts";

const sorts = {
  name: { cast: "text" },
  createdAt: { cast: "timestamptz" },
  lastUsedAt: { cast: "timestamptz", nullable: true },
  expiresAt: { cast: "timestamptz", nullable: true },
} as const;

export async function listApiKeys(ctx: ServiceContext, input: ListApiKeys): Promise<Page<ApiKey>> {
  authorize(ctx, "key:read");
  return selectPage<ApiKey>(ctx.db, {
    ...apiKeySource,
    sort: { column: input.sort, ...sorts[input.sort] },
    direction: input.direction,
    where: [
      Prisma.sql`"organizationId" = ${ctx.organizationId}`,
      contains(["name", "start"], input.search),
      isOneOf("state", input.state),
    ],
    page: input,
  });
}
