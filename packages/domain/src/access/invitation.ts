import { z } from "zod";
import { idOf } from "../id.ts";
import { listInput, manyOf } from "../page.ts";
import { emailAddress, personName } from "./member.ts";
import { role } from "./role.ts";
import { password } from "./session.ts";

export const invitationStates = ["pending", "accepted", "expired"] as const;
export const invitationState = z.enum(invitationStates).meta({ id: "InvitationState" });
export type InvitationState = z.infer<typeof invitationState>;

/** A single-use link with which the owner of one email address joins with one role. */
export const invitation = z
  .object({
    id: idOf("invitation"),
    email: z.string(),
    role,
    state: invitationState,
    createdBy: z.string().describe("The name of the member who created it."),
    createdAt: z.date(),
    expiresAt: z.date(),
    acceptedAt: z.date().nullable(),
  })
  .meta({ id: "Invitation" });
export type Invitation = z.infer<typeof invitation>;

export const createInvitation = z.strictObject({ email: emailAddress, role }).meta({ id: "CreateInvitation" });
export type CreateInvitation = z.infer<typeof createInvitation>;

export const createdInvitation = invitation
  .extend({ path: z.string().describe("The link, relative to the dashboard's address. Only returned once.") })
  .meta({ id: "CreatedInvitation" });
export type CreatedInvitation = z.infer<typeof createdInvitation>;

export const invitationToken = z.string().regex(/^[A-Za-z0-9_-]{20,64}$/, "enter the last part of an invitation link");

/** Sent by a signed-in user to join another organisation. */
export const acceptInvitation = z.strictObject({ token: invitationToken }).meta({ id: "AcceptInvitation" });
export type AcceptInvitation = z.infer<typeof acceptInvitation>;

/** Sent by a user without an account. */
export const acceptInvitationAsNewUser = z.object({ token: invitationToken, name: personName, password });
export type AcceptInvitationAsNewUser = z.infer<typeof acceptInvitationAsNewUser>;

export const listInvitations = listInput(
  ["createdAt", "email", "expiresAt"],
  { state: manyOf(invitationState) },
  { sort: "createdAt", direction: "desc" },
);
export type ListInvitations = z.infer<typeof listInvitations>;
