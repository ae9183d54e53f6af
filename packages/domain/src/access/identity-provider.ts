import { z } from "zod";
import { idOf } from "../id.ts";
import { objectName } from "../object-name.ts";
import { listInput } from "../page.ts";
import { role } from "./role.ts";

const emailDomain = z
  .string()
  .max(253)
  .regex(
    /^([A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]*[A-Za-z0-9]$/,
    "enter a domain such as example.com",
  )
  .toLowerCase();

/**
 * providerKey identifies a provider among those of all organisations: in URLs, and in accounts. It is known before the
 * provider is created, because its callback URL must be registered first.
 */
export function providerKey(organizationId: string, name: string): string {
  return `${organizationId}.${name}`;
}

/** callbackPath is where a provider redirects browsers to. */
export function callbackPath(key: string): string {
  return `/api/auth/sso/callback/${key}`;
}

/** The OpenID Connect provider with which members of an organisation sign in. */
export const identityProvider = z
  .object({
    id: idOf("identityProvider"),
    name: z.string().describe("Unique in the organisation."),
    issuer: z.string(),
    clientId: z.string(),
    domains: z.array(z.string()).describe("Only email addresses of these domains may sign in."),
    defaultRole: role.describe("The role of a new member, on first sign-in."),
    callbackPath: z
      .string()
      .describe("Callback path, relative to the dashboard's address. Register it with the provider."),
    createdAt: z.date(),
  })
  .meta({ id: "IdentityProvider" });
export type IdentityProvider = z.infer<typeof identityProvider>;

export const createIdentityProvider = z
  .strictObject({
    name: objectName,
    issuer: z
      .url({ protocol: /^https?$/, error: "enter the issuer's address, such as https://login.example.com" })
      .max(500)
      // Its host and its path are shown; nothing else may lead elsewhere, or hide in it.
      .refine((text) => isPlain(text), "enter the issuer without query, fragment and user name"),
    clientId: z.string().max(500).trim().min(1, "enter the client id"),
    clientSecret: z.string().min(1, "enter the client secret").max(2000).describe("Encrypted at rest, never returned."),
    domains: z.array(emailDomain).min(1, "enter at least one email domain").max(20),
    defaultRole: role.default("viewer"),
  })
  .meta({ id: "CreateIdentityProvider" });
export type CreateIdentityProvider = z.infer<typeof createIdentityProvider>;

function isPlain(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && url.username === "" && url.password === "" && !/[?#]/.test(text);
}

export const listIdentityProviders = listInput(["name", "createdAt"], {}, { sort: "name", direction: "asc" });
export type ListIdentityProviders = z.infer<typeof listIdentityProviders>;
