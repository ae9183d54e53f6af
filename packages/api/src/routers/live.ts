import { authorize } from "@fairlead/services";
import { tracked } from "@trpc/server";
import { z } from "zod";
import { followChanges } from "../live/follow-changes.ts";
import { translateError } from "../translate-error.ts";
import { procedure, router } from "../trpc.ts";

export const liveRouter = router({
  /** The client sends the id of the last message by itself, so that a cut loses nothing. */
  changes: procedure
    .meta({ permission: "event:read" })
    .input(z.strictObject({ lastEventId: z.string().max(64).nullish() }).optional())
    .subscription(({ ctx, input, path, signal = new AbortController().signal }) => {
      // Before the stream begins, so that a refusal is an error response.
      authorize(ctx, "event:read");
      ctx.feed.checkRoom(ctx.actor.id);
      const after = input?.lastEventId ?? undefined;
      return (async function* () {
        try {
          for await (const { cursor, message } of followChanges(ctx, ctx.feed, { after, signal, actors: ctx.actors }))
            yield tracked(cursor, message);
        } catch (error) {
          // The middleware has returned by the time a stream begins.
          throw translateError(error, { requestId: ctx.requestId, operation: path }, ctx.reportFault);
        }
      })();
    }),
});
