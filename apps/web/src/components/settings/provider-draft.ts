import type { Role } from "@fairlead/domain";

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

/** callbackUrl is where the provider sends people back to. It hangs on the name, so that it is known beforehand. */
export function callbackUrl(url: string, name: string): string {
  return new URL(`/api/auth/sso/callback/${encodeURIComponent(name.trim()) || "NAME"}`, url).href;
}

export function splitDomains(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter(Boolean))];
}
