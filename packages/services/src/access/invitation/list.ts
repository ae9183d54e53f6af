import { Prisma, selectPage } from "@fairlead/db";
import type { Invitation, ListInvitations, Page } from "@fairlead/domain";
import { authorize, type ServiceContext } from "../../context.ts";
import { contains, isOneOf } from "../../control/filter.sql.ts";
import { invitationSource } from "./rows.ts";

const casts = { createdAt: "timestamptz", email: "text", expiresAt: "timestamptz" } as const;

export async function listInvitations(ctx: ServiceContext, input: ListInvitations): Promise<Page<Invitation>> {
  authorize(ctx, "member:read");
  return selectPage<Invitation>(ctx.db, {
    ...invitationSource,
    sort: { column: input.sort, cast: casts[input.sort] },
    direction: input.direction,
    where: [
      Prisma.sql`"organizationId" = ${ctx.organizationId}`,
      contains(["email"], input.search),
      isOneOf("state", input.state),
    ],
    page: input,
  });
}
