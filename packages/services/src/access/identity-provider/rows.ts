import type { IdentityProvider } from "@fairlead/domain";

export const identityProviderSource = {
  from: "identity_provider_view",
  columns: [
    "id",
    "name",
    "issuer",
    "clientId",
    "domains",
    "defaultRole",
    "callbackPath",
    "createdAt",
  ] as const satisfies readonly (keyof IdentityProvider)[],
};
