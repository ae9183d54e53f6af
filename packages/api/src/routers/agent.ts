import { idOf } from "@fairlead/domain";
import { agent, updateAgent } from "@fairlead/domain/node";
import * as services from "@fairlead/services";
import { byId } from "../input.ts";
import { procedure, router } from "../trpc.ts";

const tag = "Agents";

export const agentRouter = router({
  update: procedure
    .meta({
      permission: "agent:write",
      rest: {
        method: "PATCH",
        path: "/agents/{id}",
        summary: "Change the roles that an agent may run as",
        tag,
        example: { allowedRoles: ["node"] },
      },
    })
    .input(updateAgent.extend({ id: idOf("agent") }))
    .output(agent)
    .mutation(({ ctx, input: { id, ...change } }) => services.updateAgent(ctx, id, change)),

  revoke: procedure
    .meta({
      permission: "node:write",
      rest: {
        method: "POST",
        path: "/agents/{id}/revoke",
        summary: "Revoke an agent permanently",
        tag,
      },
    })
    .input(byId(idOf("agent")))
    .output(agent)
    .mutation(({ ctx, input }) => services.revokeAgent(ctx, input.id)),
});
