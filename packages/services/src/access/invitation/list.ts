import type { Page } from "@fairlead/domain";
import type { Invitation, ListInvitations } from "@fairlead/domain/access";
import type { ServiceContext } from "../../context.ts";
import { contains, isOneOf } from "../../control/filter.sql.ts";
import { listWithin } from "../../control/list-within.ts";
import { invitationSource } from "./rows.ts";

const casts = { createdAt: "timestamptz", email: "text", expiresAt: "timestamptz" } as const;

export async function listInvitations(ctx: ServiceContext, input: ListInvitations): Promise<Page<Invitation>> {
  return listWithin<Invitation>(ctx, "member:read", input, {
    ...invitationSource,
    sort: { cast: casts[input.sort] },
    where: [contains(["email"], input.search), isOneOf("state", input.state)],
  });
}
