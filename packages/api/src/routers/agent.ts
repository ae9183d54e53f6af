import { idOf } from "@fairlead/domain";
import { agent } from "@fairlead/domain/node";
import * as services from "@fairlead/services";
import { byId } from "../input.ts";
import { procedure, router } from "../trpc.ts";

export const agentRouter = router({
  revoke: procedure
    .meta({
      permission: "node:write",
      rest: {
        method: "POST",
        path: "/agents/{id}/revoke",
        summary: "Revoke an agent permanently",
        tag: "Agents",
      },
    })
    .input(byId(idOf("agent")))
    .output(agent)
    .mutation(({ ctx, input }) => services.revokeAgent(ctx, input.id)),
});
