import { idOf, pageOf } from "@fairlead/domain";
import { apiKey, createApiKey, createdApiKey, listApiKeys } from "@fairlead/domain/access";
import * as services from "@fairlead/services";
import { byId } from "../input.ts";
import { procedure, router } from "../trpc.ts";

const tag = "API keys";

export const apiKeyRouter = router({
  list: procedure
    .meta({ permission: "key:read", rest: { method: "GET", path: "/api-keys", summary: "List API keys", tag } })
    .input(listApiKeys)
    .output(pageOf(apiKey))
    .query(({ ctx, input }) => services.listApiKeys(ctx, input)),

  create: procedure
    .meta({
      permission: "key:write",
      rest: {
        method: "POST",
        path: "/api-keys",
        summary: "Create an API key",
        tag,
        status: 201,
        example: { name: "pipeline", role: "operator", scopes: ["exposure:read", "exposure:write"] },
      },
    })
    .input(createApiKey)
    .output(createdApiKey)
    .mutation(({ ctx, input }) => services.createApiKey(ctx, input)),

  revoke: procedure
    .meta({
      permission: "key:write",
      rest: { method: "POST", path: "/api-keys/{id}/revoke", summary: "Revoke an API key permanently", tag },
    })
    .input(byId(idOf("apiKey")))
    .output(apiKey)
    .mutation(({ ctx, input }) => services.revokeApiKey(ctx, input.id)),
});
