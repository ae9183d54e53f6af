import { idOf, pageOf } from "@fairlead/domain";
import { listMembers, member, updateMember } from "@fairlead/domain/access";
import * as services from "@fairlead/services";
import { byId, nothing } from "../input.ts";
import { procedure, router } from "../trpc.ts";

const tag = "Members";
const id = idOf("member");

export const memberRouter = router({
  list: procedure
    .meta({ permission: "member:read", rest: { method: "GET", path: "/members", summary: "List members", tag } })
    .input(listMembers)
    .output(pageOf(member))
    .query(({ ctx, input }) => services.listMembers(ctx, input)),

  update: procedure
    .meta({
      permission: "member:write",
      rest: {
        method: "PATCH",
        path: "/members/{id}",
        summary: "Change a member's role, or take the permission map:read away",
        tag,
        example: { role: "operator" },
      },
    })
    .input(updateMember.extend({ id }))
    .output(member)
    .mutation(({ ctx, input: { id, ...change } }) => services.updateMember(ctx, id, change)),

  remove: procedure
    .meta({
      permission: "member:write",
      rest: { method: "DELETE", path: "/members/{id}", summary: "Remove a member", tag, status: 204 },
    })
    .input(byId(id))
    .output(nothing)
    .mutation(({ ctx, input }) => services.removeMember(ctx, input.id)),
});
