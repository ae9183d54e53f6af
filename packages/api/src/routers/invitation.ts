import { idOf, pageOf } from "@fairlead/domain";
import {
  acceptInvitation,
  createdInvitation,
  createInvitation,
  invitation,
  listInvitations,
  organizationRef,
} from "@fairlead/domain/access";
import * as services from "@fairlead/services";
import { byId, nothing } from "../input.ts";
import { procedure, router } from "../trpc.ts";

const tag = "Invitations";

export const invitationRouter = router({
  list: procedure
    .meta({
      permission: "member:read",
      rest: { method: "GET", path: "/invitations", summary: "List invitations", tag },
    })
    .input(listInvitations)
    .output(pageOf(invitation))
    .query(({ ctx, input }) => services.listInvitations(ctx, input)),

  create: procedure
    .meta({
      permission: "member:write",
      rest: {
        method: "POST",
        path: "/invitations",
        summary: "Create an invitation",
        tag,
        status: 201,
        example: { email: "ada@example.com", role: "operator" },
      },
    })
    .input(createInvitation)
    .output(createdInvitation)
    .mutation(({ ctx, input }) => services.createInvitation(ctx, input)),

  delete: procedure
    .meta({
      permission: "member:write",
      rest: { method: "DELETE", path: "/invitations/{id}", summary: "Delete an invitation", tag, status: 204 },
    })
    .input(byId(idOf("invitation")))
    .output(nothing)
    .mutation(({ ctx, input }) => services.deleteInvitation(ctx, input.id)),

  /** For a user who follows the link in the dashboard. Not in REST: an API key can't join an organisation. */
  accept: procedure
    .meta({ permission: "person" })
    .input(acceptInvitation)
    .output(organizationRef)
    .mutation(({ ctx, input }) => services.acceptInvitation(ctx, input)),
});
