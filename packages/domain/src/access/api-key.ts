import { z } from "zod";
import { idOf } from "../id.ts";
import { moment } from "../moment.ts";
import { listInput, manyOf } from "../page.ts";
import { plainText } from "../plain-text.ts";
import { volatile } from "../volatile.ts";
import { permission, role } from "./role.ts";

export const apiKeyStates = ["active", "expired", "revoked"] as const;
export const apiKeyState = z.enum(apiKeyStates).meta({ id: "ApiKeyState" });
export type ApiKeyState = z.infer<typeof apiKeyState>;

/** An API key belongs to the organisation. It may do what both its role and its scopes allow. */
export const apiKey = z
  .object({
    id: idOf("apiKey"),
    name: z.string(),
    start: z.string().describe("The first characters of the key, to distinguish keys."),
    role,
    scopes: z.array(permission),
    requestsPerMinute: z.int(),
    state: apiKeyState,
    createdBy: z.string().describe("The name of the member who created it."),
    createdAt: z.date(),
    lastUsedAt: volatile(z.date().nullable()),
    expiresAt: z.date().nullable(),
    revokedAt: z.date().nullable(),
  })
  .meta({ id: "ApiKey" });
export type ApiKey = z.infer<typeof apiKey>;

export const createApiKey = z
  .strictObject({
    name: plainText(63).min(1, "enter a name"),
    role: role.describe("The upper limit: the key never has more permissions than this role."),
    scopes: z
      .array(permission)
      .min(1, "choose at least one scope")
      .transform((scopes) => [...new Set(scopes)]),
    requestsPerMinute: z.int().min(1).max(60_000).default(600),
    expiresAt: moment.nullable().default(null),
  })
  .meta({ id: "CreateApiKey" });
export type CreateApiKey = z.infer<typeof createApiKey>;

export const createdApiKey = apiKey
  .extend({ key: z.string().describe("The key itself. Only returned once.") })
  .meta({ id: "CreatedApiKey" });
export type CreatedApiKey = z.infer<typeof createdApiKey>;

export const listApiKeys = listInput(
  ["name", "createdAt", "lastUsedAt", "expiresAt"],
  { state: manyOf(apiKeyState) },
  { sort: "createdAt", direction: "desc" },
);
export type ListApiKeys = z.infer<typeof listApiKeys>;
