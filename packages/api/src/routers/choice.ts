import { choice, choose } from "@fairlead/domain/choice";
import { choicePermissions } from "@fairlead/services";
import { awaitChoice } from "../live/watch-choice.ts";
import { procedure, router } from "../trpc.ts";

export const choiceRouter = router({
  choose: procedure
    .meta({
      permission: choicePermissions,
      rest: {
        method: "POST",
        path: "/choose",
        summary: "Rank clusters or exposures by requirements, or wait until the choice changes",
        tag: "Choices",
        example: {
          among: "clusters",
          requirements: {
            addressFamily: { family: "ipv4", required: true },
            headroomMbps: { atLeast: 200, weight: 2 },
            hourlyPrice: { atMost: 0.2 },
          },
        },
      },
    })
    .input(choose)
    .output(choice)
    .query(({ ctx, input, signal }) => awaitChoice(ctx, input, signal ?? new AbortController().signal)),
});
