import { idOf, pageOf } from "@fairlead/domain";
import { createIdentityProvider, identityProvider, listIdentityProviders } from "@fairlead/domain/access";
import * as services from "@fairlead/services";
import { byId, nothing } from "../input.ts";
import { procedure, router } from "../trpc.ts";

const tag = "Identity providers";

export const identityProviderRouter = router({
  list: procedure
    .meta({
      permission: "identity-provider:read",
      rest: { method: "GET", path: "/identity-providers", summary: "List identity providers", tag },
    })
    .input(listIdentityProviders)
    .output(pageOf(identityProvider))
    .query(({ ctx, input }) => services.listIdentityProviders(ctx, input)),

  create: procedure
    .meta({
      permission: "identity-provider:write",
      rest: {
        method: "POST",
        path: "/identity-providers",
        summary: "Add an OpenID Connect identity provider",
        tag,
        status: 201,
        example: {
          name: "example",
          issuer: "https://login.example.com",
          clientId: "fairlead",
          clientSecret: "the secret that the provider gave you",
          domains: ["example.com"],
          defaultRole: "viewer",
        },
      },
    })
    .input(createIdentityProvider)
    .output(identityProvider)
    .mutation(({ ctx, input }) => services.createIdentityProvider(ctx, input)),

  delete: procedure
    .meta({
      permission: "identity-provider:write",
      rest: {
        method: "DELETE",
        path: "/identity-providers/{id}",
        summary: "Remove an identity provider",
        tag,
        status: 204,
      },
    })
    .input(byId(idOf("identityProvider")))
    .output(nothing)
    .mutation(({ ctx, input }) => services.deleteIdentityProvider(ctx, input.id)),
});
