import { callbackPath, providerKey, type Role } from "@fairlead/domain/access";

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

/** callbackUrl is the redirect URI of a new provider. It depends on organisation and name, so it is known in advance. */
export function callbackUrl(url: string, organizationId: string, name: string): string {
  const key = providerKey(organizationId, encodeURIComponent(name.trim()) || "NAME");
  return new URL(callbackPath(key), url).href;
}

export function splitDomains(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter(Boolean))];
}
