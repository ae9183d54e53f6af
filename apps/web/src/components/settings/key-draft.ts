import type { Permission, Role } from "@fairlead/domain/access";

export type KeyDraft = {
  name: string;
  role: Role;
  scopes: Permission[];
  requestsPerMinute: string;
  expiry: ExpiryDays;
};

export const expiryChoices = [
  ["30", "in 30 days"],
  ["90", "in 90 days"],
  ["365", "in a year"],
  ["never", "never"],
] as const;
export type ExpiryDays = (typeof expiryChoices)[number][0];

export function emptyKey(): KeyDraft {
  return { name: "", role: "operator", scopes: [], requestsPerMinute: "600", expiry: "90" };
}

/** toCreateApiKey returns the input for the schema to validate. */
export function toCreateApiKey(draft: KeyDraft, now: Date) {
  const { name, role, scopes, expiry } = draft;
  const expiresAt = expiry === "never" ? null : new Date(now.getTime() + Number(expiry) * 86_400_000);
  return { name, role, scopes, requestsPerMinute: Number(draft.requestsPerMinute || Number.NaN), expiresAt };
}
