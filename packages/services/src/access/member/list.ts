import { Prisma, selectPage } from "@fairlead/db";
import type { ListMembers, Member, Page } from "@fairlead/domain";
import { authorize, type ServiceContext } from "../../context.ts";
import { contains, isOneOf } from "../../control/filter.sql.ts";
import { memberSource } from "./rows.ts";

const casts = { name: "text", email: "text", role: "text", createdAt: "timestamptz" } as const;

export async function listMembers(ctx: ServiceContext, input: ListMembers): Promise<Page<Member>> {
  authorize(ctx, "member:read");
  return selectPage<Member>(ctx.db, {
    ...memberSource,
    sort: { column: input.sort, cast: casts[input.sort] },
    direction: input.direction,
    where: [
      Prisma.sql`"organizationId" = ${ctx.organizationId}`,
      contains(["name", "email"], input.search),
      isOneOf("role", input.role),
    ],
    page: input,
  });
}
