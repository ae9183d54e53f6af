import type { Page } from "@fairlead/domain";
import type { ListMembers, Member } from "@fairlead/domain/access";
import type { ServiceContext } from "../../context.ts";
import { contains, isOneOf } from "../../control/filter.sql.ts";
import { listWithin } from "../../control/list-within.ts";
import { memberSource } from "./rows.ts";

const casts = { name: "text", email: "text", role: "text", createdAt: "timestamptz" } as const;

export async function listMembers(ctx: ServiceContext, input: ListMembers): Promise<Page<Member>> {
  return listWithin<Member>(ctx, "member:read", input, {
    ...memberSource,
    sort: { cast: casts[input.sort] },
    where: [contains(["name", "email"], input.search), isOneOf("role", input.role)],
  });
}
