import { z } from "zod";
import { idOf } from "../id.ts";
import { emailAddress, personName } from "./member.ts";
import { permission, role } from "./role.ts";

export const password = z
  .string()
  .min(8, "8 characters at least")
  .max(128, "128 characters at most")
  .meta({ id: "Password" });

export const signIn = z.object({ email: emailAddress, password: z.string().min(1, "enter your password").max(128) });
export type SignIn = z.infer<typeof signIn>;

export const changePassword = z.object({
  currentPassword: z.string().min(1, "enter your current password").max(128),
  newPassword: password,
});
export type ChangePassword = z.infer<typeof changePassword>;

/** Creates the owner of an empty installation. */
export const firstOwner = z.object({ name: personName, email: emailAddress, password });
export type FirstOwner = z.infer<typeof firstOwner>;

export const organizationRef = z
  .object({ id: idOf("organization"), name: z.string(), role })
  .meta({ id: "OrganizationRef" });
export type OrganizationRef = z.infer<typeof organizationRef>;

/** The current user or API key and its permissions: the response of "me". */
export const session = z
  .object({
    user: z.object({ id: z.string(), name: z.string(), email: z.string() }).nullable().describe("null for an API key."),
    organization: organizationRef,
    permissions: z.array(permission),
    organizations: z.array(organizationRef).describe("Organisations that this user may switch to."),
  })
  .meta({ id: "Session" });
export type Session = z.infer<typeof session>;

export const switchOrganization = z
  .strictObject({ organizationId: idOf("organization") })
  .meta({ id: "SwitchOrganization" });
export type SwitchOrganization = z.infer<typeof switchOrganization>;
