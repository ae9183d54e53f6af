import { attentionList, listAttention } from "@fairlead/domain/attention";
import * as services from "@fairlead/services";
import { procedure, router } from "../trpc.ts";

export const attentionRouter = router({
  list: procedure
    .meta({
      permission: services.attentionPermission,
      rest: {
        method: "GET",
        path: "/attention",
        summary: "List what has been wrong for over a minute, with the action that fixes it",
        tag: "Overview",
      },
    })
    .input(listAttention)
    .output(attentionList)
    .query(({ ctx, input }) => services.listAttention(ctx, input)),
});
