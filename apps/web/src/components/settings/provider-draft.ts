import type { Role } from "@fairlead/domain/access";

export type ProviderDraft = {
  name: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
  domains: string;
  defaultRole: Role;
};

export function emptyProvider(): ProviderDraft {
  return { name: "", issuer: "", clientId: "", clientSecret: "", domains: "", defaultRole: "viewer" };
}

/** callbackUrl is the redirect URI of a provider. It depends only on the name, so it is known in advance. */
export function callbackUrl(url: string, name: string): string {
  return new URL(`/api/auth/sso/callback/${encodeURIComponent(name.trim()) || "NAME"}`, url).href;
}

export function splitDomains(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter(Boolean))];
}
