import { z } from "zod";
import { idOf } from "../id.ts";
import { listInput, manyOf } from "../page.ts";
import { plainText } from "../plain-text.ts";
import { deniablePermission, role } from "./role.ts";

/** An email address as typed; stored in lower case, so that one address is one user. */
export const emailAddress = z
  .string()
  .max(254)
  .trim()
  .toLowerCase()
  .pipe(z.email("enter an email address"))
  .meta({ pattern: z.regexes.email.source });

export const personName = plainText(100).min(1, "enter a name");

/** A user's membership of one organisation. */
export const member = z
  .object({
    id: idOf("member"),
    userId: z.string(),
    name: z.string(),
    email: z.string(),
    role,
    denied: z.array(deniablePermission).describe("Permissions of the role that this member doesn't have."),
    activeKeyCount: z
      .int()
      .describe("Active API keys that this member created. They stay active when the member leaves."),
    createdAt: z.date(),
  })
  .meta({ id: "Member" });
export type Member = z.infer<typeof member>;

export const updateMember = z
  .strictObject({
    role,
    denied: z
      .array(deniablePermission)
      .transform((denied) => [...new Set(denied)])
      .describe(
        "Permissions to take away, though the role has them. An owner has all permissions: the role owner clears the list.",
      ),
  })
  .partial()
  .meta({ id: "UpdateMember" });
export type UpdateMember = z.infer<typeof updateMember>;

export const listMembers = listInput(
  ["name", "email", "role", "createdAt"],
  { role: manyOf(role) },
  { sort: "name", direction: "asc" },
);
export type ListMembers = z.infer<typeof listMembers>;
